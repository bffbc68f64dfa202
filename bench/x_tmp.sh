#!/usr/bin/env bash
# Measures generators and texts in process, once as packages are built and once for this machine
# (-march=native), in turns.
#
#   bench/in_process.sh              builds what is missing, takes about two minutes
#   bench/in_process.sh 'Uuid'       only the cases whose name matches
#
# A line is one case: the median and the lowest of all rounds, in ns for one ID. In batches the time of a batch
# is divided by its IDs. A neighbour on the machine only ever adds: where median and lowest are far apart,
# something else ran.
#
# Environment: ROUNDS=9, CPU=1 (where it runs; default the last processor), RAW=FILE (keeps every measurement).
set -euo pipefail
export LC_ALL=C

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
filter=${1:-.}
rounds=${ROUNDS:-9}
cpu=${CPU:-$(($(nproc --all) - 1))}
# shellcheck source=tools/setup.sh
source "$root/tools/setup.sh"

programs=(bench_generators bench_text)
lock_builds
true
if [[ ! -f $root/build/native/build.ninja ]]; then
  (cd "$root" && cmake --preset release -B build/native -DMINTMARK_TESTS=OFF \
    -DCMAKE_CXX_FLAGS=-march=native) >"$root/build/native.log" 2>&1
fi
ninja -C "$root/build/native" "${programs[@]}" >"$root/build/native.log" 2>&1 ||
  fail_with_log "$root/build/native.log" "the build for this machine failed"
unlock_builds

raw=${RAW:-$(mktemp)}
[[ -n ${RAW:-} ]] || trap 'rm -f "$raw"' EXIT
: >"$raw"

# measure FOLDER: one line for each case, of one thread: folder, name, ns an ID.
measure() {
  local folder=$1 program
  for program in "${programs[@]}"; do
    chrt -f 50 taskset -c "$cpu" "$root/build/${folder/release/speed}/bench/$program" --benchmark_format=json --benchmark_min_time=0.05 \
      --benchmark_filter="$filter" 2>/dev/null |
      awk -v folder="$folder" '
        function value() { sub(/^[^:]*: */, ""); sub(/,$/, ""); gsub(/"/, ""); return $0 }
        /^ *"name"/ { name = value(); sub(/\/real_time/, "", name); sub(/\/threads:1/, "", name) }
        /^ *"real_time"/ { ns = value() }
        /^ *"items_per_second"/ { ns = 1e9 / value() }
        /^ *}/ && name != "" {
          if (name !~ /threads:|TwitterAtItsCap/) print folder "\t" name "\t" ns
          name = ""
        }' >>"$raw"
  done
}
for ((round = 0; round < rounds; ++round)); do
  if ((round % 2)); then measure native && measure release; else measure release && measure native; fi
done

sort -t $'\t' -k2,2 -k1,1 -k3,3g "$raw" | awk -F'\t' '
  function show() {
    if (name != "") printf "%-28s %9.2f %9.2f   %9.2f %9.2f\n", name, middle["release"], lowest["release"], middle["native"], lowest["native"]
  }
  BEGIN { printf "%-28s %9s %9s   %9s %9s\n", "ns an ID", "packaged", "lowest", "native", "lowest" }
  $2 != name { show(); name = $2; split("", all); split("", count) }
  {
    all[$1, ++count[$1]] = $3
    lowest[$1] = all[$1, 1]
    middle[$1] = all[$1, int((count[$1] + 1) / 2)]
  }
  END { show() }'
