#!/usr/bin/env bash
# Measures mintmark against the libraries that programs use for the same IDs, side by side on one core.
#
# Every program first proves that it reads and writes the known answers of tests/vectors, and a thousand
# IDs that mintmark wrote; one that does not is not timed. Then each work is measured once a round by
# the rival and by mintmark, in turns, so that what else happens on the machine hits both. The table shows
# medians over the rounds; a ratio is taken within a round.
#
#   bench/rivals/run.sh                        builds what is missing, takes about four minutes
#   bench/rivals/run.sh --check                the C++ programs only: compares, measures nothing
#   bench/rivals/run.sh --check OURS RIVAL...  the same with programs that are built already
#
# The packages come from the package clients of their languages; a rival that cannot be built is left out,
# with a line that says so.
#
# Environment:
#   ROUNDS=5              rounds
#   CPU=1 NICE=0          where the programs run (default: the last processor)
#   RIVALS="go node"      folders of bench/rivals to compare with; `ours` compares mintmark with itself, which
#                         shows the noise of the machine
#   WORKS="uuid4 ulid"    works to measure
#   RAW=FILE              keeps every single measurement
set -euo pipefail
export LC_ALL=C

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$here/../..
built=$root/build/rivals
rounds=${ROUNDS:-5}
cpu=${CPU:-$(($(nproc --all) - 1))}
priority=${NICE:-0}
read -ra wanted <<<"${RIVALS:-cpp rust go node}"
works=(uuid4 uuid4_text uuid7 uuid7_text uuid_write uuid_parse ulid ulid_text ulid_write ulid_parse
  ulid_to_uuid snowflake_wide sonyflake_wide ksuid_write ksuid_parse)
answers_of_ours=1024     # IDs of each family that mintmark writes and the rivals must read

say() { printf 'rivals: %s\n' "$*" >&2; }
die() {
  say "$@"
  exit 1
}

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# write_answers OURS: one file a family, from the vectors and from what mintmark writes.
write_answers() {
  local ours=$1 line family files
  while read -r family files; do
    # shellcheck disable=SC2086  # a list of names
    (cd "$root/tests/vectors" && awk -v family="$family" -f "$here/answers.awk" $files) \
      >"$folder/$family.tsv"
  done <<'FAMILIES'
uuid uuid.txt uuid_parse.txt
ulid ulid.txt
ksuid ksuid.txt
twitter snowflake.txt
sonyflake snowflake.txt
FAMILIES
  for family in uuid ulid ksuid; do
    "$ours" --answers "$family" "$answers_of_ours" >>"$folder/$family.tsv"
  done
  for line in "$folder"/*.tsv; do [[ -s $line ]] || die "no answers in ${line##*/}"; done
}

# ask COMMAND WORD...: runs a program, whose words stand in one string with blanks between them.
pinned=()
ask() {
  local words
  read -ra words <<<"$1"
  shift
  timeout 300 "${pinned[@]}" "${words[@]}" "$folder" "$@"
}

# check COMMAND: silent, or says what is wrong; keeps which malformed texts are taken.
check() {
  local name
  name=$(ask "$1" --name) || return 1
  ask "$1" --check >"$folder/taken" || return 1
  awk -F'\t' -v name="$name" '
    { count[$2]++; if (!($2 in text)) text[$2] = $3 }
    END {
      for (f in count) {
        printf "%s takes malformed texts as %s: %d of the answers, for example \"%s\"\n",
          name, f, count[f], text[f]
      }
    }' "$folder/taken" >>"$folder/remarks"
}

if [[ ${1:-} == --check && $# -gt 1 ]]; then
  shift
  ours=$1
  write_answers "$ours"
  : >"$folder/remarks"
  for program in "$@"; do check "$program" || die "${program##*/} gives wrong results"; done
  ! grep '^mintmark ' "$folder/remarks" >&2 || die "mintmark reads what it should refuse"
  printf '%d programs agree\n' $#
  cat "$folder/remarks"
  exit
fi

mkdir -p "$built"
exec 9>"$built/.lock"
flock --nonblock 9 || { say "waiting for another comparison to end"; flock 9; }

# Each of these builds a folder and prints one command a library. 9>&-: nobody else may keep the lock.
build_native() {
  (cd "$root" && cmake --preset release -B build/rivals/native -DCMAKE_CXX_FLAGS=-march=native \
    -DMINTMARK_TESTS=OFF && ninja -C build/rivals/native "$@") >"$built/native.log" 2>&1 9>&-
}
build_cpp() {
  local name
  for name in boost_uuid libuuid; do
    if build_native "bench_rival_$name"; then
      echo "$built/native/bench/bench_rival_$name"
    else
      say "left out: $name could not be built (build/rivals/native.log)"
    fi
  done
}
build_rust() {
  command -v cargo >/dev/null || { say "left out: Rust, there is no cargo"; return; }
  # A copy, because cargo writes a lock file beside the manifest.
  mkdir -p "$built/rust"
  cp -R "$here/rust/." "$built/rust"
  (cd "$built/rust" && RUSTFLAGS='-C target-cpu=native' cargo build --release -j1) \
    >"$built/rust.log" 2>&1 9>&- ||
    { say "left out: Rust, its packages could not be built (build/rivals/rust.log)"; return; }
  echo "$built/rust/target/release/rival_uuid"
}
build_go() {
  command -v go >/dev/null || { say "left out: Go, there is no go"; return; }
  local level=v1
  ! grep -qw avx2 /proc/cpuinfo || level=v3
  (cd "$here/go" && GOFLAGS='-p=1 -mod=readonly -buildvcs=false' GOTOOLCHAIN=local GOAMD64=$level \
    go build -o "$built/go/rivals" .) >"$built/go.log" 2>&1 9>&- ||
    { say "left out: Go, its packages could not be built (build/rivals/go.log)"; return; }
  local library
  for library in google_uuid google_uuid_pool oklog_ulid bwmarrin_snowflake sony_sonyflake \
    segmentio_ksuid; do
    echo "$built/go/rivals $library"
  done
}
build_node() {
  command -v npm >/dev/null || { say "left out: Node.js, there is no npm"; return; }
  mkdir -p "$built/node"
  cp -R "$here/node/." "$built/node"
  (cd "$built/node" && npm ci --ignore-scripts --no-audit --no-fund) >"$built/node.log" 2>&1 9>&- ||
    { say "left out: Node.js, its packages could not be fetched (build/rivals/node.log)"; return; }
  echo "node $built/node/uuid.mjs"
  echo "node $built/node/ulid.mjs"
}
build_ours() { echo "$ours"; }

build_native bench_ours || { tail -n 20 "$built/native.log" >&2; die "mintmark could not be built"; }
ours=$built/native/bench/bench_ours
if [[ ${1:-} == --check ]]; then
  mapfile -t rivals < <(build_cpp)
  exec 9>&-
  rm -rf "$folder"
  exec "$here/run.sh" --check "$ours" "${rivals[@]}"
fi
(($# == 0)) || die "usage: run.sh [--check [OURS RIVAL...]]"
taskset -c "$cpu" true || die "there is no processor $cpu for us"
pinned=(nice -n "$priority" taskset -c "$cpu")

write_answers "$ours"
rivals=()
: >"$folder/remarks"
check "$ours" || die "mintmark gives wrong results"
for language in "${wanted[@]}"; do
  [[ $(type -t "build_$language") == function ]] || die "there is no bench/rivals/$language"
  mapfile -t commands < <("build_$language")
  for command in "${commands[@]}"; do
    if check "$command"; then
      rivals+=("$command")
    else
      say "left out: ${command##*/} does not run or gives wrong results"
    fi
  done
done
((${#rivals[@]})) || die "there is nobody to compare with"
exec 9>&-

# A line a pair: work, rival's name, rival's command.
read -ra works <<<"${WORKS:-${works[*]}}"
ask "$ours" --works >"$folder/ours"
for work in "${works[@]}"; do
  grep -qx "$work" "$folder/ours" || die "mintmark does not do $work"
  for command in "${rivals[@]}"; do
    ask "$command" --works | grep -x "$work" >/dev/null || continue
    printf '%s\t%s\t%s\n' "$work" "$(ask "$command" --name)" "$command" >>"$folder/pairs"
  done
done
[[ -s $folder/pairs ]] || die "there is nothing to compare"

# measure_row PAIR ROW ROUND: row 0 is the rival.
measure_row() {
  local work name command ns
  IFS=$'\t' read -r work name command <<<"${pairs[$1]}"
  (($2 == 0)) || command=$ours
  ns=$(ask "$command" "$work" | cut -f2)
  [[ -n $ns ]] || die "$name was not measured: $work"
  printf '%s %d\t%d\t%d\t{"command":"%s","ns":%s}\n' "$work" "$1" "$2" "$3" "$name" "$ns" \
    >>"$folder/rows"
}
mapfile -t pairs <"$folder/pairs"
for ((round = 1; round <= rounds; round++)); do
  [[ ! -t 2 ]] || printf '\rround %d of %d ' "$round" "$rounds" >&2
  for pair in "${!pairs[@]}"; do
    measure_row "$pair" $((round % 2 ? 0 : 1)) "$round"
    measure_row "$pair" $((round % 2 ? 1 : 0)) "$round"
  done
done
[[ ! -t 2 ]] || printf '\r\033[K' >&2
[[ -z ${RAW:-} ]] || cp "$folder/rows" "$RAW"

printf '%d rounds on cpu %s, ns of processor time an ID; medians\n\n' "$rounds" "$cpu"
awk -v columns=ns -f "$here/../medians.awk" "$folder/rows"
[[ ! -s $folder/remarks ]] || { echo; cat "$folder/remarks"; }
