// Choices: which ID suits which use, as data. The rules that read it are in chooser.cc; advice is changed
// here, and nowhere else.
//
// What is said about full pages was measured on PostgreSQL 15 and MariaDB 10.11 with 1 to 2 million rows.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace mintmark::cli {

/// What somebody may need of an ID. Each is asked in these words, and answered yes or no.
enum class Need : std::uint8_t { sortable, hidden, compact, uncoordinated, readable };

struct NeedRow {
  Need need;
  std::string_view option;    ///< of the command line
  std::string_view question;  ///< to be answered with yes or no
  std::string_view met;       ///< said of a scheme that has it
  std::string_view missed;    ///< said of one that has it not
};
inline constexpr NeedRow kNeeds[] = {
    {Need::sortable, "sortable", "Must IDs sort by the time they were made?",
     "sorts by time: new rows go to the end of an index", "does not sort by time"},
    {Need::hidden, "hidden", "Must a stranger who sees some learn nothing, nor guess others?",
     "tells a stranger nothing, and cannot be guessed",
     "tells a stranger something, or can be guessed"},
    {Need::compact, "compact", "Must an ID fit a column of 64 bits?", "fits a column of 64 bits",
     "needs more than 64 bits"},
    {Need::uncoordinated, "uncoordinated", "Must it be made without a service or a store?",
     "needs no coordination", "needs numbers from a store, so that no two makers make the same"},
    {Need::readable, "readable", "Will people read, type or paste it, or is it in addresses?",
     "is short as text", "is long as text"},
};

/// Who makes the IDs.
enum class Maker : std::uint8_t { client, server, database };
inline constexpr std::array<std::string_view, 3> kMakerNames{"client", "server", "database"};

/// How a database keeps it.
enum class Kept : std::uint8_t { uuid, uuid_by_time, bytes_16, bytes_12, integer, text };

struct Choice {
  std::string_view name;  ///< as on the command line
  std::string_view title;
  std::string_view is;  ///< one sentence
  unsigned bits;
  unsigned text_size;
  Kept kept;
  bool sortable, hidden, compact, uncoordinated, readable;
  double most_per_second;  ///< of one maker; 0 for no limit in practice
  int rank;                ///< among schemes that are equally good otherwise, more is better
  std::string_view watch;  ///< what to look out for
  std::string_view make;   ///< a command that makes one

  [[nodiscard]] constexpr bool has(Need need) const {
    return std::array{sortable, hidden, compact, uncoordinated,
                      readable}[static_cast<std::size_t>(need)];
  }
};

inline constexpr Choice kChoices[] = {
    {"uuid7", "UUIDv7", "milliseconds and random bits, which every system can read", 128, 36,
     Kept::uuid_by_time, true, false, false, true, false, 0, 100,
     "it tells when it was made; clocks that differ between hosts undo the order",
     "mintmark new uuid7"},
    {"uuid4", "UUIDv4", "122 random bits", 128, 36, Kept::uuid, false, true, false, true, false, 0,
     80, "a large index is written all over: more log, more cache, pages two thirds full",
     "mintmark new uuid4"},
    {"ulid", "ULID", "milliseconds and 80 random bits, as 26 characters", 128, 26, Kept::bytes_16,
     true, false, false, true, true, 0, 78,
     "it tells when it was made; in one millisecond the next is plus one", "mintmark new ulid"},
    {"snowflake", "Snowflake", "time, worker number and sequence in one integer", 64, 19,
     Kept::integer, true, false, true, false, true, 4'096'000, 75,
     "send it to browsers as text; its time field ends (mintmark headroom twitter)",
     "mintmark new snowflake"},
    {"nanoid", "NanoID", "21 random characters that need no escape in an address", 126, 21,
     Kept::text, false, true, false, true, true, 0, 70,
     "as text it costs more than 16 bytes do (mintmark keysize)", "mintmark new nanoid"},
    {"sealed", "sealed number",
     "a counted number inside, an encrypted one of the same size outside", 64, 19, Kept::integer,
     false, true, true, false, true, 0, 65, "the key must be kept as long as the IDs live",
     "mintmark new block"},
    {"tsid", "TSID", "a Snowflake of another epoch, as 13 characters", 64, 13, Kept::integer, true,
     false, true, false, true, 4'096'000, 60,
     "send it to browsers as text; it tells when it was made", "mintmark new tsid"},
    {"typeid", "TypeID", "a UUIDv7 with the name of its kind in front", 128, 90, Kept::uuid_by_time,
     true, false, false, true, false, 0, 58,
     "keep the UUID in the table, and the prefix in the program", "mintmark new typeid"},
    {"block", "counted number", "1, 2, 3, ... from a store, leased in blocks", 64, 19,
     Kept::integer, false, false, true, false, true, 0, 55,
     "it tells how many there are, and every other can be tried out", "mintmark new block"},
    {"ksuid", "KSUID", "seconds and 128 random bits, as 27 characters", 160, 27, Kept::text, true,
     false, false, true, true, 0, 50, "it sorts to the second only; it ends in 2150",
     "mintmark new ksuid"},
    {"cuid2", "CUID2", "24 letters and digits, hashed from several sources", 124, 24, Kept::text,
     false, true, false, true, true, 0, 45, "slow to make; as text it costs more than 16 bytes do",
     "mintmark new cuid2"},
    {"xid", "XID", "seconds, machine, process and a counter in 12 bytes", 96, 20, Kept::bytes_12,
     true, false, false, true, true, 0, 40,
     "three bytes name the machine: two machines may share them", "mintmark new xid"},
    {"objectid", "ObjectId", "seconds, a random number of the process and a counter in 12 bytes",
     96, 24, Kept::bytes_12, true, false, false, true, true, 0, 38,
     "it ends in 2106, and sorts to the second only", "mintmark new objectid"},
    {"bitreversed", "Bit-reversed number", "a counted number, its last bit first", 64, 19,
     Kept::integer, false, false, true, false, true, 0, 30,
     "who knows the rule reads the count out of it", "mintmark new bitreversed"},
};

/// What is particular about a store and a scheme. All that apply count.
struct StoreRule {
  std::string_view store;
  std::string_view scheme;  ///< or `rising` for all that sort by time, `random` for all others
  int points;
  std::string_view words;
};

inline constexpr std::array<std::string_view, 11> kStores{
    "postgresql",  "mysql", "mariadb",    "sqlserver", "sqlite",  "spanner",
    "cockroachdb", "tidb",  "clickhouse", "mongodb",   "dynamodb"};

inline constexpr StoreRule kStoreRules[] = {
    {"postgresql", "uuid7", 5,
     "a native type of 16 bytes; pages get 90 % full where one clock stamps them"},
    {"postgresql", "uuid4", 0, "pages get 71 % full, and the log 4 times as long in a large index"},
    {"postgresql", "block", -5,
     "blocks of several makers fill pages to 51 to 57 %: let one make them"},
    {"postgresql", "nanoid", 0, "as text with COLLATE \"C\": other orders are slow"},
    {"mysql", "uuid7", 5, "as BINARY(16), without the swap of UUID_TO_BIN: that is for version 1"},
    {"mysql", "uuid4", -10,
     "every secondary index carries it, and the table itself is in its order"},
    {"mysql", "snowflake", -5,
     "many workers of one clock fill pages to 53 %: the order inside a tick is lost"},
    {"mariadb", "uuid7", 5, "the type UUID keeps its order from 10.11.5 on"},
    {"mariadb", "ulid", -5, "as BINARY(16): the type UUID would scramble it"},
    {"mariadb", "uuid4", -10,
     "every secondary index carries it, and the table itself is in its order"},
    {"mariadb", "snowflake", -5,
     "many workers of one clock fill pages to 53 %: the order inside a tick is lost"},
    {"sqlserver", "uuid7", -5,
     "as BINARY(16): a uniqueidentifier is compared from its tenth byte on"},
    {"sqlserver", "uuid4", -10, "clustered by default: make the key nonclustered"},
    {"sqlserver", "snowflake", 10, "a bigint is the key that it clusters best"},
    {"sqlite", "snowflake", 10, "an INTEGER PRIMARY KEY is the row itself: no other index"},
    {"sqlite", "block", 10, "an INTEGER PRIMARY KEY is the row itself: no other index"},
    {"sqlite", "uuid4", -10, "the write-ahead log gets 40 times as long"},
    {"spanner", "rising", -40, "keys that rise all go to the last split: one server does the work"},
    {"spanner", "block", -60,
     "numbers that rise all go to the last split: one server does the work"},
    {"spanner", "sealed", -60,
     "inside it is a number that rises: seal what is shown, and keep another"},
    {"spanner", "random", 20, "spreads over the splits"},
    {"spanner", "bitreversed", 30, "what its documentation recommends for numbers"},
    {"cockroachdb", "rising", -40, "keys that rise all go to one range: one node does the work"},
    {"cockroachdb", "block", -40, "numbers that rise all go to one range: one node does the work"},
    {"cockroachdb", "sealed", -40,
     "inside it is a number that rises: seal what is shown, and keep another"},
    {"cockroachdb", "uuid4", 20, "what its documentation recommends"},
    {"tidb", "rising", -30, "keys that rise all go to one region; AUTO_RANDOM spreads them"},
    {"tidb", "block", -40, "numbers that rise all go to one region; AUTO_RANDOM spreads them"},
    {"tidb", "sealed", -40,
     "inside it is a number that rises: seal what is shown, and keep another"},
    {"tidb", "random", 10, "spreads over the regions"},
    {"clickhouse", "uuid7", -20, "the type UUID is sorted by its second half: not by time"},
    {"clickhouse", "snowflake", 15, "sorts as it should, and is a good prefix of the primary key"},
    {"mongodb", "objectid", 45, "its own kind, made by every driver"},
    {"dynamodb", "random", 5, "a partition key is hashed: order gains nothing there"},
};

/// What is particular about who makes the IDs.
struct MakerRule {
  Maker maker;
  std::string_view scheme;  ///< as in StoreRule
  int points;
  std::string_view words;
};
inline constexpr MakerRule kMakerRules[] = {
    {Maker::client, "rising", -5,
     "the clock of a client may be wrong, and then the row goes elsewhere"},
    {Maker::client, "random", 5, "every browser and every telephone has what it takes"},
    {Maker::database, "block", 30, "a sequence or identity column of the database does the same"},
    {Maker::database, "uuid4", 10,
     "a function of most databases: gen_random_uuid(), UUID(), NEWID()"},
    {Maker::database, "uuid7", 5,
     "uuidv7() from PostgreSQL 18 and MariaDB 11.7 on; before, the program makes it"},
    {Maker::database, "snowflake", -30, "databases have no function for it: a program makes it"},
    {Maker::database, "ulid", -10, "databases have no function for it: a program makes it"},
};

/// How a column of the kind is written in a store; `%` stands for the number of characters.
struct ColumnRule {
  std::string_view store;
  Kept kept;
  std::string_view ddl;
};
inline constexpr ColumnRule kColumnRules[] = {
    {"postgresql", Kept::uuid, "uuid PRIMARY KEY"},
    {"postgresql", Kept::uuid_by_time, "uuid PRIMARY KEY"},
    {"postgresql", Kept::bytes_16, "uuid PRIMARY KEY"},
    {"postgresql", Kept::bytes_12, "bytea PRIMARY KEY"},
    {"postgresql", Kept::integer, "bigint PRIMARY KEY"},
    {"postgresql", Kept::text, "varchar(%) COLLATE \"C\" PRIMARY KEY"},
    {"mysql", Kept::uuid, "BINARY(16) PRIMARY KEY"},
    {"mysql", Kept::uuid_by_time, "BINARY(16) PRIMARY KEY"},
    {"mysql", Kept::bytes_16, "BINARY(16) PRIMARY KEY"},
    {"mysql", Kept::bytes_12, "BINARY(12) PRIMARY KEY"},
    {"mysql", Kept::integer, "BIGINT PRIMARY KEY"},
    {"mysql", Kept::text, "CHAR(%) CHARACTER SET ascii COLLATE ascii_bin PRIMARY KEY"},
    {"mariadb", Kept::uuid, "UUID PRIMARY KEY"},
    {"mariadb", Kept::uuid_by_time, "UUID PRIMARY KEY"},
    {"mariadb", Kept::bytes_16, "BINARY(16) PRIMARY KEY"},
    {"mariadb", Kept::bytes_12, "BINARY(12) PRIMARY KEY"},
    {"mariadb", Kept::integer, "BIGINT PRIMARY KEY"},
    {"mariadb", Kept::text, "CHAR(%) CHARACTER SET ascii COLLATE ascii_bin PRIMARY KEY"},
    {"sqlserver", Kept::uuid, "uniqueidentifier PRIMARY KEY NONCLUSTERED"},
    {"sqlserver", Kept::uuid_by_time, "binary(16) PRIMARY KEY"},
    {"sqlserver", Kept::bytes_16, "binary(16) PRIMARY KEY"},
    {"sqlserver", Kept::bytes_12, "binary(12) PRIMARY KEY"},
    {"sqlserver", Kept::integer, "bigint PRIMARY KEY"},
    {"sqlserver", Kept::text, "char(%) COLLATE Latin1_General_100_BIN2 PRIMARY KEY"},
    {"sqlite", Kept::uuid, "BLOB PRIMARY KEY CHECK (length(id) = 16)"},
    {"sqlite", Kept::uuid_by_time, "BLOB PRIMARY KEY CHECK (length(id) = 16)"},
    {"sqlite", Kept::bytes_16, "BLOB PRIMARY KEY CHECK (length(id) = 16)"},
    {"sqlite", Kept::bytes_12, "BLOB PRIMARY KEY CHECK (length(id) = 12)"},
    {"sqlite", Kept::integer, "INTEGER PRIMARY KEY"},
    {"sqlite", Kept::text, "TEXT PRIMARY KEY"},
    {"cockroachdb", Kept::uuid, "UUID PRIMARY KEY"},
    {"cockroachdb", Kept::uuid_by_time, "UUID PRIMARY KEY"},
    {"cockroachdb", Kept::bytes_16, "UUID PRIMARY KEY"},
    {"cockroachdb", Kept::integer, "INT8 PRIMARY KEY"},
    {"cockroachdb", Kept::text, "STRING(%) PRIMARY KEY"},
    {"tidb", Kept::uuid, "BINARY(16) PRIMARY KEY"},
    {"tidb", Kept::uuid_by_time, "BINARY(16) PRIMARY KEY NONCLUSTERED"},
    {"tidb", Kept::bytes_16, "BINARY(16) PRIMARY KEY NONCLUSTERED"},
    {"tidb", Kept::integer, "BIGINT PRIMARY KEY"},
    {"tidb", Kept::text, "CHAR(%) CHARACTER SET ascii COLLATE ascii_bin PRIMARY KEY"},
};

}  // namespace mintmark::cli
