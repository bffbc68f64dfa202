#!/usr/bin/env bash
# check_binary.sh FILE: the binary needs nothing but glibc, and does not say where it was built.
#
# Each further shared library makes every start slower, and a start is what `mintmark new` mostly is.
set -euo pipefail

binary=$1
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

needed=$(readelf -d "$binary" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')
others=$(grep -vE '^(libc|libm|libdl|libpthread|libresolv|ld-linux-[a-z0-9-]+)\.so\.[0-9]+$' \
  <<<"$needed" || true)
if [[ -n $others ]]; then
  echo "shared libraries other than glibc: ${others//$'\n'/ }" >&2
  exit 1
fi

if grep -qaF -- "$root" "$binary"; then
  echo "the path of the build is in the binary:" >&2
  strings -a "$binary" | grep -F -- "$root" | head -5 >&2
  exit 1
fi
