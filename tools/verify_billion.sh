#!/usr/bin/env bash
# Verifies a thousand million IDs within 512 MiB: Snowflakes of eight workers, made on the fly. Takes about
# six minutes and 8 GiB in $TMPDIR.
#
#   tools/verify_billion.sh [MINTMARK]     the binary; default build/release/mintmark
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
mintmark=${1:-$root/build/release/mintmark}
workers=8
each=125M

make_ids() {
  local worker
  for ((worker = 0; worker < workers; ++worker)); do
    "$mintmark" new snowflake --store none --worker "$worker" -n "$each" -o bin 2>/dev/null
  done
}

start=$SECONDS
report=$(mktemp)
trap 'rm -f "$report"' EXIT
make_ids | {
  exec 3<&0  # a command in the background would read from nothing otherwise
  "$mintmark" verify --binary 8 --json <&3 >"$report" &
  verifier=$!
  peak=0
  while kill -0 "$verifier" 2>/dev/null; do
    now=$(awk '/^VmHWM/ {print $2}' "/proc/$verifier/status" 2>/dev/null || true)
    peak=${now:-$peak}
    sleep 1
  done
  wait "$verifier"
  printf 'peak of resident memory: %s KiB\n' "$peak"
  ((peak < 512 * 1024))
}
cat "$report"
grep -q '"ids":1000000000,"invalid":0,"duplicates":0,' "$report"
printf 'a thousand million IDs verified in %d s\n' "$((SECONDS - start))"
