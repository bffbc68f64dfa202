#!/usr/bin/env bash
# Measures the command line against uuidgen, the packaged command: how long one UUID takes from start to
# end, what ten million cost, and that an endless run stays small.
#
#   bench/command_line.sh        builds what is missing, takes about a minute
#
# Environment: ROUNDS=9 (interleaved, medians are shown), STARTS=100 (processes in a round),
# MINTMARK=FILE (the program to use instead of building it).
set -euo pipefail
export LC_ALL=C

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
rounds=${ROUNDS:-9}
starts=${STARTS:-100}
command -v uuidgen >/dev/null || { echo "command_line: uuidgen is missing; try: apt-get install uuid-runtime" >&2; exit 1; }
if [[ -z ${MINTMARK:-} ]]; then
  # shellcheck source=tools/setup.sh
  source "$here/../tools/setup.sh"
  lock_builds
  build release mintmark
  unlock_builds
fi
mintmark=${MINTMARK:-$here/../build/release/mintmark}

# Microseconds of one run of a command, over a round of them.
round_of() {
  local began=$EPOCHREALTIME i
  for ((i = 0; i < starts; ++i)); do "$@" >/dev/null; done
  echo $(((${EPOCHREALTIME/./} - ${began/./}) / starts))
}
median() { sort -n | awk '{ a[NR] = $1 } END { print a[int((NR + 1) / 2)] }'; }

ours=() theirs=() ratios=()
for ((round = 0; round < rounds; ++round)); do
  a=$(round_of "$mintmark" new uuid7)
  b=$(round_of uuidgen)
  ours+=("$a")
  theirs+=("$b")
  ratios+=("$((100 * a / b))")
done
ratio=$(printf '%s\n' "${ratios[@]}" | median)
printf 'one UUID, start to end:   new uuid7 %s us, uuidgen %s us, ratio %d.%02d\n' \
  "$(printf '%s\n' "${ours[@]}" | median)" "$(printf '%s\n' "${theirs[@]}" | median)" $((ratio / 100)) $((ratio % 100))

for scheme in uuid7 uuid4 ulid; do
  times=()
  for ((round = 0; round < 5; ++round)); do
    began=$EPOCHREALTIME
    "$mintmark" new "$scheme" -n 10M >/dev/null
    times+=($(((${EPOCHREALTIME/./} - ${began/./}) / 1000)))
  done
  printf 'ten million as text:      new %s -n 10M > /dev/null, %s ms\n' "$scheme" "$(printf '%s\n' "${times[@]}" | median)"
done

"$mintmark" new uuid7 -n inf >/dev/null &
pid=$!
trap 'kill "$pid" 2>/dev/null || true' EXIT
sizes=()
for ((second = 0; second < 5; ++second)); do
  sleep 1
  sizes+=("$(awk '/^VmRSS/ { print $2 }' "/proc/$pid/status")")
done
printf 'an endless run:           resident %s kB after each of five seconds\n' "${sizes[*]}"
