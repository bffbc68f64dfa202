#!/usr/bin/env bash
# fuzz.sh FOLDER NAME [RUNS] [SEED]: builds tests/fuzz/NAME_fuzz.cc with what it links into FOLDER, with
# libFuzzer and the sanitizers of addresses and undefined behaviour, and gives it RUNS inputs (200000).
#
# With the same seed the inputs are the same, so that a failure comes again. SEED 0 takes another one each
# time, starts from FOLDER/NAME_corpus and keeps there what it finds of interest: for long runs.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
folder=$1 name=$2 runs=${3:-200000} seed=${4:-1}
compiler=clang++-19
command -v "$compiler" >/dev/null || {
  echo "fuzz: $compiler is not installed; ./test installs it" >&2
  exit 1
}

# A target says which sources of the product it needs: `// LINK: src/io/x.cc src/io/y.cc`.
target=$root/tests/fuzz/${name}_fuzz.cc
read -ra linked < <(sed -n 's/^.*LINK: //p' "$target")
mkdir -p "$folder/${name}_corpus"
flags=(-std=c++23 -O2 -g -fno-omit-frame-pointer "-fsanitize=fuzzer,address,undefined"
  -fno-sanitize-recover=all -Wall -Wextra -Wshadow -Wconversion -Wsign-conversion -Werror
  -I "$root/include" -I "$root/src" -I "$root")
(cd "$root" && "$compiler" "${flags[@]}" "$target" "${linked[@]}" -o "$folder/$name")

cd "$folder"
# A seed repeats itself only from the same corpus: with one, from none.
corpus=()
[[ $seed != 0 ]] || corpus=("${name}_corpus")
exec "./$name" -runs="$runs" -seed="$seed" -max_len=96 -print_final_stats=1 "${corpus[@]}"
