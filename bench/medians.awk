# Makes the table of a comparison from measurements of interleaved rounds.
#
# Input, one line a measurement: shape, row, round and the load client's JSON object, separated by
# tabs. Row 0 is what the others are compared with. A ratio is taken within one round, where both sides
# saw the same machine; what is printed is the median over the rounds.
# -v first=NAME -v others=NAME: the two servers. -v columns=rate: requests/s and their ratio only.
# -v columns=ns: nanoseconds of row 0, of row 1, and how often the second goes into the first; the name
# of a shape ends at its first blank.

BEGIN { FS = "\t" }

function number(json, key) {
  if (!match(json, "\"" key "\":[-+0-9.e]+")) return 0
  return substr(json, RSTART + length(key) + 3, RLENGTH - length(key) - 3) + 0
}

function text(json, key) {
  match(json, "\"" key "\":\"[^\"]*\"")
  return substr(json, RSTART + length(key) + 4, RLENGTH - length(key) - 5)
}

# The median of what was put under `key`; each value once per round.
function median(key,    n, i, j, held, sorted) {
  n = count[key]
  for (i = 1; i <= n; i++) {
    held = value[key, i]
    for (j = i - 1; j >= 1 && sorted[j] > held; j--) sorted[j + 1] = sorted[j]
    sorted[j + 1] = held
  }
  if (n == 0) return 0
  return n % 2 ? sorted[(n + 1) / 2] : (sorted[n / 2] + sorted[n / 2 + 1]) / 2
}

function put(key, x) { value[key, ++count[key]] = x }

{
  at = $1 SUBSEP $2
  if (!(at in command)) {
    order[++rows] = at
    command[at] = text($4, "command")
  }
  round[$1, $2, $3] = number($4, "requests_per_s")
  used[$1, $2, $3] = number($4, "server_cpu_us_per_request")
  spent[$1, $2, $3] = number($4, "ns")
  put(at SUBSEP "ns", number($4, "ns"))
  put(at SUBSEP "rate", number($4, "requests_per_s"))
  put(at SUBSEP "p50", number($4, "batch_p50_us"))
  put(at SUBSEP "p99", number($4, "batch_p99_us"))
  put(at SUBSEP "cpu", number($4, "server_cpu_us_per_request"))
  put(at SUBSEP "client", number($4, "client_cpu_share"))
  errors[at] += number($4, "errors")
  if ($3 > rounds) rounds = $3
}

function add_ratios(at, shape, row,    i, base) {
  for (i = 1; i <= rounds; i++) {
    base = shape SUBSEP 0 SUBSEP i
    if (round[base] > 0) put(at SUBSEP "times", round[shape, row, i] / round[base])
    if (used[base] > 0) put(at SUBSEP "cost", used[shape, row, i] / used[base])
  }
}

# Rows of one shape together, in the order of their numbers: rounds that ran backwards do not matter.
function print_row(at, shape, row) {
  add_ratios(at, shape, row)
  printf "%-7s %-9s %-15s %9.0f", shape, row ? others : first, command[at],
    median(at SUBSEP "rate")
  if (columns == "rate") {
    printf " %8.2f\n", median(at SUBSEP "times")
    return
  }
  printf " %9.1f %9.1f %8.3f %7.0f %% %7d %8.2f %8.2f\n", median(at SUBSEP "p50"),
    median(at SUBSEP "p99"), median(at SUBSEP "cpu"), 100 * median(at SUBSEP "client"), errors[at],
    median(at SUBSEP "times"), median(at SUBSEP "cost")
}

# Both sides of one shape in a line, and the lowest and the highest ratio of a round.
function print_pair(shape,    i, key, times, lowest, highest) {
  key = shape SUBSEP "pair"
  for (i = 1; i <= rounds; i++) {
    if (!spent[shape, 1, i]) continue
    times = spent[shape, 0, i] / spent[shape, 1, i]
    if (!count[key] || times < lowest) lowest = times
    if (times > highest) highest = times
    put(key, times)
  }
  printf "%-15s %-32s %9.1f %9.1f %8.2f   %.2f to %.2f\n", substr(shape, 1, index(shape, " ") - 1),
    command[shape, 0], median(shape SUBSEP 0 SUBSEP "ns"), median(shape SUBSEP 1 SUBSEP "ns"),
    median(key), lowest, highest
}

function print_pairs(    i, part) {
  print "work            rival                             rival ns   ours ns    ratio   rounds"
  for (i = 1; i <= rows; i++) {
    split(order[i], part, SUBSEP)
    if (!(part[1] in printed)) print_pair(part[1])
    printed[part[1]] = 1
  }
}

END {
  if (columns == "ns") {
    print_pairs()
    exit
  }
  printf "%-7s %-9s %-15s %9s", "shape", "server", "command", "req/s"
  if (columns == "rate") print "  x req/s"
  else print "    p50 us    p99 us   CPU us   client  errors  x req/s    x CPU"
  for (i = 1; i <= rows; i++) {
    split(order[i], part, SUBSEP)
    shape = part[1]
    if (shape in printed) continue
    printed[shape] = 1
    for (row = 0; (shape SUBSEP row) in command; row++) print_row(shape SUBSEP row, shape, row)
  }
}
