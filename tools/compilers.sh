# shellcheck shell=bash
# The compilers that every public header must pass, as an array `compile`. To be sourced.
#
# choose_compiler gcc|clang|wasm: wasm is clang for WASI with libc++, which has neither exceptions nor
# the type information that a browser would pay for.
choose_compiler() {
  local warnings=(-std=c++23 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Werror)
  case $1 in
    gcc) compile=(g++ "${warnings[@]}") ;;
    clang) compile=(clang++-19 "${warnings[@]}") ;;
    wasm)
      compile=(clang++-19 --target=wasm32-wasi "${warnings[@]}" -fno-exceptions -fno-rtti
        -isystem /usr/lib/llvm-19/include/wasm32-wasi/c++/v1)
      ;;
    *)
      echo "unknown compiler: $1 (gcc, clang or wasm)" >&2
      return 2
      ;;
  esac
  if ! command -v "${compile[0]}" >/dev/null; then
    echo "${compile[0]} is not installed; ./test installs it" >&2
    return 1
  fi
}
