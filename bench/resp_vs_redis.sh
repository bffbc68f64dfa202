#!/usr/bin/env bash
# Measures mintmark against Redis over the Redis protocol, side by side on one machine.
#
# Both servers run for the whole time on one processor, the load client on another. Rounds are
# interleaved and every other one is run backwards, so that what else happens on the machine hits
# both; a ratio is taken within a round, and the table shows the median over the rounds. Before
# anything is timed, the IDs of a short run are proven to differ.
#
#   bench/resp_vs_redis.sh                 builds what is missing, takes about three minutes
#
# Environment:
#   ROUNDS=7 SPAN=1       rounds, and seconds measured for each row of each round
#   SHAPES="1x1 50x16"    connections x requests in one write
#   SERVER_CPU=0 CLIENT_CPU=1 NICE=0
#   RAW=FILE              keeps what the load client said, one row a measurement
#   MINTMARK=FILE LOAD=FILE    programs to use instead of building them
#   SERVER_B="COMMAND"    a shell command for the second server; it finds $PORT and the folder $DIR
#   COMMANDS_B="X y;Z"    its requests
set -euo pipefail
export LC_ALL=C

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
rounds=${ROUNDS:-7}
span=${SPAN:-1}
read -ra shapes <<<"${SHAPES:-1x1 50x1 50x16 50x100}"
server_cpu=${SERVER_CPU:-0}
client_cpu=${CLIENT_CPU:-1}
priority=${NICE:-0}
IFS=';' read -ra commands_b <<<"${COMMANDS_B:-INCR block;MINT snowflake}"
command_a='INCR bench'
name_b=mintmark
[[ -z ${SERVER_B:-} ]] || name_b=second
warmup=0.2
check_rounds=3           # of redis-benchmark, which is only a cross-check
check_requests=2000000

die() {
  printf 'resp_vs_redis: %s\n' "$*" >&2
  exit 1
}

require() { command -v "$1" >/dev/null || die "$1 is missing; try: apt-get install $2"; }
require redis-server redis-server
require redis-benchmark redis-tools
require taskset util-linux
(($(nproc --all) > 1)) || die "one processor is not enough: the client would disturb the server"

if [[ -z ${LOAD:-} || (-z ${MINTMARK:-} && -z ${SERVER_B:-}) ]]; then
  # shellcheck source=tools/setup.sh
  source "$here/../tools/setup.sh"
  targets=()
  [[ -n ${LOAD:-} ]] || targets+=(mintmark_load)
  [[ -n ${MINTMARK:-} || -n ${SERVER_B:-} ]] || targets+=(mintmark)
  lock_builds
  build release "${targets[@]}"
  unlock_builds
fi
load=${LOAD:-$here/../build/release/bench/mintmark_load}
mintmark=${MINTMARK:-$here/../build/release/mintmark}

folder=$(mktemp -d)
pid_a=
pid_b=
stop_all() {
  local pid
  for pid in $pid_a $pid_b; do kill "$pid" 2>/dev/null || true; done
  for pid in $pid_a $pid_b; do
    # A server that ignores the request to stop must not hold the benchmark for ever.
    timeout 10 tail --pid="$pid" -f /dev/null || kill -KILL "$pid" 2>/dev/null || true
    wait "$pid" 2>/dev/null || true
  done
  rm -rf "$folder"
}
trap stop_all EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# Below the range from which the system gives ports to clients (ip_local_port_range: 32768 and up).
free_port() {
  local port
  while :; do
    port=$((20000 + RANDOM % 12000))
    (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null || break
  done
  echo "$port"
}

# start LOG WORDS...: on the server's processor, as the process $! itself.
start() {
  local log=$1
  shift
  nice -n "$priority" taskset -c "$server_cpu" "$@" >"$log" 2>&1 </dev/null &
}

# until_ready NAME PID PORT LOG COMMAND...: every command has been answered without an error.
until_ready() {
  local name=$1 pid=$2 port=$3 log=$4 command try
  shift 4
  for command in "$@"; do
    for ((try = 0; ; try++)); do
      kill -0 "$pid" 2>/dev/null || { tail -n 5 "$log" >&2; die "$name has ended"; }
      if timeout 10 "$load" --port "$port" --connections 1 --requests 1 --warmup 0 --stall 5 \
        --command "$command" >/dev/null 2>"$folder/ready.log"; then
        break
      fi
      ((try < 150)) || { cat "$folder/ready.log" >&2; die "$name does not answer: $command"; }
      sleep 0.2
    done
  done
}

resident_kib() { awk '/^VmRSS:/ { print $2 }' "/proc/$1/status"; }

on_client_cpu() { nice -n "$priority" taskset -c "$client_cpu" "$@"; }

# measure SHAPE PORT PID COMMAND OPTIONS...: one JSON object of the load client.
measure() {
  local shape=$1 port=$2 pid=$3 command=$4 status=0
  shift 4
  on_client_cpu timeout "$limit" "$load" --port "$port" --pid "$pid" \
    --connections "${shape%x*}" --depth "${shape#*x}" --seconds "$span" --warmup "$warmup" \
    --command "$command" --json "$@" 2>"$folder/load.log" || status=$?
  # 1 means error replies: they are in the object, and the table shows them.
  ((status <= 1)) || { cat "$folder/load.log" >&2; die "the load client failed: $shape $command"; }
}
limit=$(awk -v span="$span" 'BEGIN { printf "%d", span + 60 }')

port_a=$(free_port)
mkdir "$folder/redis"
start "$folder/redis.log" redis-server --bind 127.0.0.1 --port "$port_a" --dir "$folder/redis" \
  --save '' --appendonly no --io-threads 1 --daemonize no
pid_a=$!
until_ready redis "$pid_a" "$port_a" "$folder/redis.log" "$command_a"

port_b=$(free_port)
if [[ -n ${SERVER_B:-} ]]; then
  PORT=$port_b DIR=$folder start "$folder/second.log" bash -c "exec $SERVER_B"
else
  # The folder is new, so the store knows that no earlier grant can be alive and does not wait. The
  # empty configuration keeps that of the machine out.
  : >"$folder/mintmark.toml"
  start "$folder/second.log" "$mintmark" serve --config "$folder/mintmark.toml" --http off \
    --resp "127.0.0.1:$port_b" --threads 1 --store "sqlite:$folder/new/mintmark.db"
fi
pid_b=$!
until_ready "$name_b" "$pid_b" "$port_b" "$folder/second.log" "${commands_b[@]}"

sleep 1
idle_a=$(resident_kib "$pid_a")
idle_b=$(resident_kib "$pid_b")

for command in "${commands_b[@]}"; do
  measure 50x100 "$port_b" "$pid_b" "$command" --check unique >"$folder/checked.json"
  grep -q '"passed":true' "$folder/checked.json" ||
    { cat "$folder/load.log" "$folder/checked.json" >&2; die "the IDs of $command are not unique"; }
done

# Row 0 is Redis, the others are the commands of the second server.
measure_row() {
  local round=$1 shape=$2 row=$3 json
  if ((row == 0)); then
    json=$(measure "$shape" "$port_a" "$pid_a" "$command_a")
  else
    json=$(measure "$shape" "$port_b" "$pid_b" "${commands_b[row - 1]}")
  fi
  printf '%s\t%d\t%d\t%s\n' "$shape" "$row" "$round" "$json" >>"$folder/rows"
}

last_row=${#commands_b[@]}
for ((round = 1; round <= rounds; round++)); do
  [[ ! -t 2 ]] || printf '\rround %d of %d ' "$round" "$rounds" >&2
  for shape in "${shapes[@]}"; do
    for ((i = 0; i <= last_row; i++)); do
      measure_row "$round" "$shape" $((round % 2 ? i : last_row - i))
    done
  done
done
[[ ! -t 2 ]] || printf '\r\033[K' >&2
[[ -z ${RAW:-} ]] || cp "$folder/rows" "$RAW"

printf 'Redis %s; %d rounds of %s s; server on cpu %s, client on cpu %s; medians\n\n' \
  "$(redis-server --version | sed 's/.* v=\([^ ]*\).*/\1/')" "$rounds" "$span" "$server_cpu" \
  "$client_cpu"
awk -v first=redis -v others="$name_b" -f "$here/medians.awk" "$folder/rows"

# Which rates redis-benchmark sees; it is itself the limit for a fast server.
benchmark_rate() {
  local port=$1
  shift
  on_client_cpu timeout 120 redis-benchmark -h 127.0.0.1 -p "$port" -c 50 -P 100 -n "$check_requests" \
    --csv "$@" 2>"$folder/benchmark.log" | awk -F'"' 'END { print $4 }'
}
for ((round = 1; round <= check_rounds; round++)); do
  for ((row = 0; row <= last_row; row++)); do
    port=$port_b
    command=${commands_b[row > 0 ? row - 1 : 0]}
    ((row > 0)) || { port=$port_a command=$command_a; }
    read -ra words <<<"$command"
    rate=$(benchmark_rate "$port" "${words[@]}") ||
      { tail -n 5 "$folder/benchmark.log" >&2; die "redis-benchmark failed: $command"; }
    printf '50x100\t%d\t%d\t{"command":"%s","requests_per_s":%s}\n' "$row" "$round" "$command" \
      "$rate" >>"$folder/crosscheck"
  done
done
printf '\nThe same by redis-benchmark -c 50 -P 100 (median of %d runs)\n\n' "$check_rounds"
awk -v first=redis -v others="$name_b" -v columns=rate -f "$here/medians.awk" "$folder/crosscheck"

printf '\nResident memory, KiB          idle   after the load\n'
printf '%-26s %8d %10d\n' redis "$idle_a" "$(resident_kib "$pid_a")" \
  "$name_b" "$idle_b" "$(resident_kib "$pid_b")"
