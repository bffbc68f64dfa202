#!/usr/bin/env bash
# check.sh gcc|clang: proves that what the types promise to forbid does not compile.
#
# Each file here compiles when ALLOWED is defined, which leaves its offending lines out, and fails
# without it, with a message that matches the regular expression behind `EXPECT:`. So a file that fails
# for another reason (a missing header, a typing error) proves nothing and is reported.
set -uo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
# shellcheck source=tools/compilers.sh
source "$root/tools/compilers.sh"
choose_compiler "$1" || exit

failures=0
report() {
  printf '%s: %s\n' "$1" "$2" >&2
  failures=$((failures + 1))
}

check() {
  local file=$1 name expected output
  name=tests/no_compile/${file##*/}
  expected=$(sed -n 's/^.*EXPECT: //p' "$file")
  if [[ -z $expected ]]; then
    report "$name" "has no EXPECT: comment"
    return
  fi
  if ! output=$("${compile[@]}" -DALLOWED -fsyntax-only -I "$root/include" "$file" 2>&1); then
    report "$name" "must compile without its offending lines, and does not:"$'\n'"$output"
    return
  fi
  if output=$("${compile[@]}" -fsyntax-only -I "$root/include" "$file" 2>&1); then
    report "$name" "compiles, and must not"
  elif ! grep -qE -- "$expected" <<<"$output"; then
    report "$name" "fails, but not with \"$expected\":"$'\n'"$output"
  fi
}

count=0
for file in "$here"/*.cc; do
  [[ -e $file ]] || continue
  check "$file"
  count=$((count + 1))
done
if ((count == 0)); then
  report "$here" "holds no files"
fi
echo "$1: $count files, $failures failures"
((failures == 0))
