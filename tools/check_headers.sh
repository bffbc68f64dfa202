#!/usr/bin/env bash
# check_headers.sh gcc|clang|wasm: compiles every public header alone, so that none relies on what
# another includes, and twice in one unit, so that none lacks its guard. The first two compilers also
# do it without exceptions and type information, as the pure floors promise.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=tools/compilers.sh
source "$here/compilers.sh"
choose_compiler "$1"
include="$here/../include"

check() {
  local header=$1
  shift
  printf '#include "%s"\n#include "%s"\n' "$header" "$header" |
    "${compile[@]}" "$@" -fsyntax-only -I "$include" -x c++ - || {
    echo "include/$header does not compile alone: ${compile[*]} $*" >&2
    return 1
  }
}

mapfile -t headers < <(cd "$include" && find mintmark -name '*.h' | LC_ALL=C sort)
if ((${#headers[@]} == 0)); then
  echo "no headers in $include" >&2
  exit 1
fi

failures=0
for header in "${headers[@]}"; do
  check "$header" || failures=$((failures + 1))
  if [[ $1 != wasm ]]; then
    check "$header" -fno-exceptions -fno-rtti || failures=$((failures + 1))
  fi
done
echo "$1: ${#headers[@]} headers, $failures failures"
((failures == 0))
