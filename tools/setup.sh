# shellcheck shell=bash
# What ./run and ./test share: installing the packages that are missing, and a quiet build.
#
# To be sourced by bash with `set -euo pipefail`. Everything here is silent on stdout, so that the
# output of a command that is started afterwards stays clean; words go to stderr, details to build/*.log.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

run_packages=(
  g++ cmake ninja-build
  libboost1.81-dev libcli11-dev libfmt-dev libsqlite3-dev libssl-dev libtomlplusplus-dev
  libpq-dev libmariadb-dev libzookeeper-mt-dev
)

# shellcheck disable=SC2034  # ./test reads it
test_packages=(
  "${run_packages[@]}"
  ccache mold binutils pkg-config
  clang-19 libclang-rt-19-dev
  libc++-19-dev-wasm32 libclang-rt-19-dev-wasm32 lld-19 wasi-libc
  libbenchmark-dev libgtest-dev
  curl redis-tools uuid-dev uuid-runtime
  locales zsh fish groff-base
  sqlite3 postgresql-15 mariadb-server redis-server openssl
  etcd-server etcd-client libzookeeper-java libzookeeper-mt2 default-jre-headless
)

say() { printf 'mintmark: %s\n' "$*" >&2; }

# fail_with_log LOG WORDS...: the end of a log, then the words.
fail_with_log() {
  local log=$1
  shift
  tail -n 40 "$log" >&2
  say "$* (whole log: ${log#"$root"/})"
  return 1
}

as_root() {
  if [[ $(id -u) -eq 0 ]]; then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo "$@"
  else
    say "this needs root or sudo: $*"
    return 1
  fi
}

# Some packages bring a service that starts by itself; nobody asked for one here.
apt_install() {
  local policy=/usr/sbin/policy-rc.d ours=no status=0
  as_root apt-get -o DPkg::Lock::Timeout=300 -qq update || say "the package lists could not be renewed"
  if [[ ! -e $policy ]]; then
    ours=yes
    printf '#!/bin/sh\nexit 101\n' | as_root tee "$policy" >/dev/null
    as_root chmod 755 "$policy"
  fi
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 -qq -y \
    --no-install-recommends install "$@" || status=$?
  [[ $ours == no ]] || as_root rm -f "$policy"
  return "$status"
}

# install_packages NAME PACKAGE...: asks apt only when a package is missing, and asks dpkg only when
# dpkg's state or the list has changed since it was last found complete.
install_packages() {
  local stamp="$root/build/.packages-$1" key installed package missing=()
  shift
  key="$(stat -c '%Y %s' /var/lib/dpkg/status 2>/dev/null || echo none) $*"
  if [[ -f $stamp && $(<"$stamp") == "$key" ]]; then
    return 0
  fi
  if ! command -v apt-get >/dev/null; then
    say "no apt-get here; the build needs what these packages of Debian 12 hold: $*"
    return 0
  fi
  installed=" $(dpkg-query -W -f '${Package}:${db:Status-Status} ' "$@" 2>/dev/null || true)"
  for package in "$@"; do
    [[ $installed == *" $package:installed "* ]] || missing+=("$package")
  done
  if ((${#missing[@]})); then
    say "installing ${missing[*]}"
    apt_install "${missing[@]}" >"$root/build/packages.log" 2>&1 </dev/null ||
      fail_with_log "$root/build/packages.log" "the packages could not be installed"
    key="$(stat -c '%Y %s' /var/lib/dpkg/status) $*"
  fi
  printf '%s\n' "$key" >"$stamp"
}

# Reads ninja's output, keeps it in a log, and says on stderr that something is being built, if
# anything is.
show_progress() {
  local preset=$1 line started=no
  while IFS= read -r line; do
    printf '%s\n' "$line"
    [[ $line == \[[1-9]*/*\]* ]] || continue
    if [[ -t 2 ]]; then
      printf '\rmintmark: building %s %s ' "$preset" "${line%%]*}]" >&2
    elif [[ $started == no ]]; then
      say "building $preset"
    fi
    started=yes
  done
  if [[ $started == yes && -t 2 ]]; then
    printf '\r\033[K' >&2
  fi
}

# build PRESET TARGET...: configures when needed, builds, says nothing when there is nothing to do. What is
# configured depends on the packages too: the tests are there only where their library is.
build() {
  local preset=$1 folder="$root/build/$1" log="$root/build/$1.log" newer
  shift
  for newer in "$root/CMakePresets.json" "$root"/build/.packages-*; do
    [[ ! -f $folder/build.ninja || $newer -nt $folder/build.ninja ]] || newer=
    [[ -z $newer ]] || break
  done
  if [[ -n $newer ]]; then
    (cd "$root" && cmake --preset "$preset") >"$log" 2>&1 </dev/null ||
      fail_with_log "$log" "cmake --preset $preset failed"
    touch "$folder/build.ninja"
  fi
  ninja -C "$folder" -j "$(nproc)" "$@" 2>&1 </dev/null | show_progress "$preset" >"$log" ||
    fail_with_log "$log" "the build of $preset failed"
}

# One at a time: two builds in one folder would destroy each other's files. The lock is descriptor 9,
# which nobody inherits who outlives the build.
mkdir -p "$root/build"
lock_builds() {
  exec 9>"$root/build/.lock"
  flock --nonblock 9 && return
  say "waiting for another build to end"
  flock 9
}
unlock_builds() { exec 9>&-; }
