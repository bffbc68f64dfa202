#!/usr/bin/env bash
# check.sh: builds and runs programs of other people against mintmark.
#
#   check.sh symbols LIBRARY LIST     the library shows what the list says, and nothing else
#   check.sh install BUILD FOLDER     installs a build into FOLDER/prefix
#   check.sh c89 FOLDER               client.c by pkg-config, as C89
#   check.sh c89_static FOLDER        the same without any shared library
#   check.sh find_package FOLDER      a project that finds the package: shared, static, C and C++
#   check.sh subdirectory FOLDER      a project that has mintmark as a folder
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
strict=(-std=c89 -pedantic -Wall -Wextra -Wconversion -Werror -O1)

fail() {
  printf '%s\n' "$*" >&2
  exit 1
}

# Only what is installed there, whatever else the machine has.
library_folder() {
  local config
  config=$(find "$1/prefix" -name mintmark.pc -printf '%h\n')
  [[ -n $config ]] || fail "no mintmark.pc in $1/prefix"
  export PKG_CONFIG_LIBDIR=$config
  libraries=$(pkg-config --variable=libdir mintmark)
}

symbols() {
  local found
  found=$(nm -D --defined-only --with-symbol-versions "$1" | cut -d' ' -f3- | grep -v '^MINTMARK_0$' |
    sed 's/@@MINTMARK_0$//' | c++filt | LC_ALL=C sort)
  diff -u "$2" - <<<"$found" || fail "$1 shows other symbols than $2 lists"
}

install_build() {
  rm -rf "$2/prefix"
  cmake --install "$1" --prefix "$2/prefix" >/dev/null
  # The folder has to be movable.
  if grep -rqF --include='*.pc' --include='*.cmake' -- "$2" "$2/prefix"; then
    fail "the place of the installation is written into it"
  fi
}

c89() {
  library_folder "$1"
  local flags
  read -ra flags <<<"$(pkg-config --cflags --libs mintmark)"
  cc "${strict[@]}" "$here/client.c" "${flags[@]}" -Wl,-rpath,"$libraries" -o "$1/client"
  readelf -d "$1/client" | grep -q 'NEEDED.*libmintmark\.so\.0' || fail "another soname"
  (cd "$1" && rm -rf shared && ./client shared/ids.db)
}

c89_static() {
  library_folder "$1"
  local flags
  read -ra flags <<<"$(pkg-config --static --cflags --libs mintmark)"
  # glibc says that names are still looked up by its shared libraries; nobody does here.
  cc "${strict[@]}" -static "$here/client.c" "${flags[@]}" -o "$1/client_static" 2>"$1/static.log" ||
    fail "$(<"$1/static.log")"
  (cd "$1" && rm -rf static && ./client_static static/ids.db)
}

configure_and_build() {
  rm -rf "$2"
  cmake -G Ninja -S "$here/$1" -B "$2" -DCMAKE_BUILD_TYPE=Debug "${@:3}" >"$2.log" 2>&1 ||
    fail "$(<"$2.log")"
  cmake --build "$2" >"$2.log" 2>&1 || fail "$(<"$2.log")"
}

find_package() {
  configure_and_build find_package "$1/find_package" -DCMAKE_PREFIX_PATH="$1/prefix"
  (cd "$1/find_package" && ./from_c c/ids.db && ./from_cpp cpp/ids.db && ./from_cpp_static cpp_static/ids.db)
}

subdirectory() {
  mkdir -p "$1"
  configure_and_build subdirectory "$1/subdirectory"
  "$1/subdirectory/headers"
  ninja -C "$1/subdirectory" -t targets all >"$1/subdirectory.log"
  if grep -q mintmark_shared "$1/subdirectory.log"; then
    fail "there is a library that nobody asked for"
  fi
  # Asked for, it is built where it is linked, and only there. That it builds is known already.
  cmake -DMINTMARK_LIBRARY=ON "$1/subdirectory" >"$1/subdirectory.log" 2>&1 ||
    fail "$(<"$1/subdirectory.log")"
  ninja -C "$1/subdirectory" -t commands all >"$1/subdirectory.log"
  if grep -q libmintmark "$1/subdirectory.log"; then fail "the library is built for nobody"; fi
  ninja -C "$1/subdirectory" -t commands with_library >"$1/subdirectory.log"
  grep -q libmintmark.so "$1/subdirectory.log" || fail "the library is not built for who links it"
}

case $1 in
  symbols) symbols "$2" "$3" ;;
  install) install_build "$2" "$3" ;;
  c89 | c89_static | find_package | subdirectory) "$1" "$2" ;;
  *) fail "unknown: $1" ;;
esac
