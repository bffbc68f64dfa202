# Makes the answers that the programs of bench/rivals are held to from the vectors of tests/vectors.
#
#   awk -v family=uuid -f answers.awk tests/vectors/uuid.txt tests/vectors/uuid_parse.txt
#
# Three columns with tabs between them: kind, text, meaning (`-` where there is none).
#   both      reading the text gives the meaning, writing that gives the text
#   reads     reading the text gives the meaning
#   refuses   a strict reader refuses the text
# The meaning is the bytes in hex, or the fields as decimal numbers. Texts with an escape are left out, and
# so are the spellings of a UUID other than the canonical one: libraries differ in which of them they read.

BEGIN { FS = " [|] "; OFS = "\t" }

/^#/ || NF != 3 || $2 ~ /\\/ { next }

{ split($1, words, " "); kind = words[1] }

function unquoted(text) { return text ~ /^"/ ? substr(text, 2, length(text) - 2) : text }
function plain(uuid) { gsub("-", "", uuid); return tolower(uuid) }
function field(name,    parts) {
  if (!match($3, "(^| )" name "=[^ ]*")) return ""
  split(substr($3, RSTART, RLENGTH), parts, "=")
  return parts[2]
}
function put(kind, text, meaning) {
  print kind, text, meaning == "" ? "-" : meaning
  of[text] = meaning
}

family == "uuid" && kind ~ /^v[167]$/ { put("both", $2, plain($2)) }
family == "uuid" && kind == "uuidaccept" && length($2) == 38 { put("reads", unquoted($2), plain($3)) }
family == "uuid" && kind == "uuidreject" { put("refuses", unquoted($2)) }

family == "ulid" && kind == "ulid" && $3 ~ /^ms=/ { put("both", $2, plain(field("uuid"))) }
family == "ulid" && kind == "ulid" && $3 ~ /^reject/ { put("refuses", $2) }
family == "ulid" && kind == "ulidaccept" && $3 in of { put("reads", unquoted($2), of[$3]) }
family == "ulid" && kind == "ulidreject" { put("refuses", unquoted($2)) }
family == "ulid" && kind == "ulidaliastext" { put("refuses", $2) }

family == "ksuid" && kind == "ksuid" && $3 ~ /^raw=/ { put("both", $2, field("raw")) }
family == "ksuid" && kind == "ksuid" && $3 ~ /^reject/ { put("refuses", $2) }
family == "ksuid" && kind == "ksuidreject" { put("refuses", unquoted($2)) }

family == "twitter" && kind == "twitter" {
  put("both", $2, field("ms") " " field("dc") * 32 + field("worker") " " field("seq"))
}
family == "sonyflake" && kind == "sonyflake1" {
  put("both", $2, field("t") " " field("seq") " " field("machine"))
}
