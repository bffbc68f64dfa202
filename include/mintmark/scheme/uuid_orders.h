// The byte orders and sort orders of other systems for UUIDs. RFC 9562 section 6.11 orders them as 16
// unsigned bytes, which is also the order of Uuid, of the canonical text, of PostgreSQL, of .NET's
// Guid.CompareTo and of every BINARY(16) or RAW(16) column that holds the octets as they are. The ones
// below are different.
//
// Use them to read and write what such a system has stored, and to know before a migration in what order it
// will keep its keys. A key that is good in one order can be as good as random in another: a UUIDv7 is that
// in SQL Server.
//
// Each order comes as a comparison and as a sort key: 16 bytes whose unsigned order is that order.
//
//   octets          00 11 22 33 | 44 55 | 66 77 | 88 99 | aa bb cc dd ee ff     network order, RFC 9562
//   .NET, COM       33 22 11 00 | 55 44 | 77 66 | 88 99 | aa bb cc dd ee ff     Guid.ToByteArray()
//   MySQL swapped   66 77 | 44 55 | 00 11 22 33 | 88 99 | aa bb cc dd ee ff     UUID_TO_BIN(u, 1)
//   MariaDB         aa bb cc dd ee ff | 88 99 | 66 77 | 44 55 | 00 11 22 33     type UUID, versions 1 to 5
#pragma once

#include <algorithm>
#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <string_view>

#include "mintmark/base/bytes.h"
#include "mintmark/base/error.h"
#include "mintmark/scheme/uuid.h"

namespace mintmark {

using UuidBytes = std::array<std::byte, 16>;

namespace uuid_orders {

/// Which octet of the UUID stands at each place.
using Places = std::array<std::uint8_t, 16>;

inline constexpr Places kDotnet{3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15};
inline constexpr Places kMysqlSwap{6, 7, 4, 5, 0, 1, 2, 3, 8, 9, 10, 11, 12, 13, 14, 15};
inline constexpr Places kMariadb{10, 11, 12, 13, 14, 15, 8, 9, 6, 7, 4, 5, 0, 1, 2, 3};
inline constexpr Places kClickhouse{8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7};
/// In ToByteArray() the places 10 to 15, 8, 9, 6, 7, 4, 5, 0 to 3: here as octets.
inline constexpr Places kSqlServer{10, 11, 12, 13, 14, 15, 8, 9, 7, 6, 5, 4, 3, 2, 1, 0};

constexpr UuidBytes moved(const Uuid& id, const Places& places) {
  UuidBytes bytes{};
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = id.bytes()[places[i]];
  return bytes;
}

constexpr Result<Uuid> moved_back(std::span<const std::byte> from, const Places& places) {
  if (from.size() != places.size()) return fail(Error::at(Fault::wrong_length, from.size()));
  UuidBytes octets{};
  for (std::size_t i = 0; i < octets.size(); ++i) octets[places[i]] = from[i];
  return Uuid::from_bytes(octets);
}

constexpr unsigned octet(const Uuid& id, std::size_t index) {
  return static_cast<unsigned>(id.bytes()[index]);
}

}  // namespace uuid_orders

/// The octets as they are: RFC 9562, PostgreSQL, Oracle's RAW(16), BINARY(16) without a swap.
[[nodiscard]] constexpr UuidBytes bytes_sort_key(const Uuid& id) {
  UuidBytes bytes{};
  id.to_bytes(bytes);
  return bytes;
}
[[nodiscard]] constexpr std::strong_ordering bytes_compare(const Uuid& a, const Uuid& b) {
  return a <=> b;
}

/// .NET, COM, SMBIOS: Guid.ToByteArray() has the first three groups little-endian. This is how they are
/// stored; Guid.CompareTo orders as the RFC does.
[[nodiscard]] constexpr UuidBytes to_dotnet_bytes(const Uuid& id) {
  return uuid_orders::moved(id, uuid_orders::kDotnet);
}
/// Errors: WrongLength.
[[nodiscard]] constexpr Result<Uuid> from_dotnet_bytes(std::span<const std::byte> from) {
  return uuid_orders::moved_back(from, uuid_orders::kDotnet);
}

/// MySQL: UUID_TO_BIN(u, 1), and so the order of a BINARY(16) column that is filled with it. It puts UUIDv1
/// in the order of its time, and takes that order away from v6 and v7: use UUID_TO_BIN(u) for these.
[[nodiscard]] constexpr UuidBytes to_mysql_swap_bytes(const Uuid& id) {
  return uuid_orders::moved(id, uuid_orders::kMysqlSwap);
}
/// BIN_TO_UUID(b, 1). Errors: WrongLength.
[[nodiscard]] constexpr Result<Uuid> from_mysql_swap_bytes(std::span<const std::byte> from) {
  return uuid_orders::moved_back(from, uuid_orders::kMysqlSwap);
}
[[nodiscard]] constexpr UuidBytes mysql_swap_sort_key(const Uuid& id) {
  return to_mysql_swap_bytes(id);
}
[[nodiscard]] constexpr std::strong_ordering mysql_swap_compare(const Uuid& a, const Uuid& b) {
  return mysql_swap_sort_key(a) <=> mysql_swap_sort_key(b);
}

/// SQL Server's uniqueidentifier, and SqlGuid.CompareTo: the last six octets count first, then the fourth
/// group, then the third, second and first group, each of these from its end.
[[nodiscard]] constexpr UuidBytes sql_server_sort_key(const Uuid& id) {
  return uuid_orders::moved(id, uuid_orders::kSqlServer);
}
[[nodiscard]] constexpr std::strong_ordering sql_server_compare(const Uuid& a, const Uuid& b) {
  return sql_server_sort_key(a) <=> sql_server_sort_key(b);
}

/// java.util.UUID.compareTo: two signed 64-bit numbers. A UUID that begins with 8 to f sorts before one
/// that begins with 0 to 7. Within one variant the second number does no harm: its top bits are the same.
[[nodiscard]] constexpr std::strong_ordering java_compare(const Uuid& a, const Uuid& b) {
  const auto high = static_cast<std::int64_t>(a.high()) <=> static_cast<std::int64_t>(b.high());
  if (high != 0) return high;
  return static_cast<std::int64_t>(a.low()) <=> static_cast<std::int64_t>(b.low());
}
[[nodiscard]] constexpr UuidBytes java_sort_key(const Uuid& id) {
  UuidBytes bytes = bytes_sort_key(id);
  bytes[0] ^= std::byte{0x80};
  bytes[8] ^= std::byte{0x80};
  return bytes;
}

/// One signed 128-bit number, for systems that keep a UUID in an integer.
[[nodiscard]] constexpr UuidBytes signed_sort_key(const Uuid& id) {
  UuidBytes bytes = bytes_sort_key(id);
  bytes[0] ^= std::byte{0x80};
  return bytes;
}
[[nodiscard]] constexpr std::strong_ordering signed_compare(const Uuid& a, const Uuid& b) {
  constexpr std::uint64_t kSign = std::uint64_t{1} << 63;
  const auto high = (a.high() ^ kSign) <=> (b.high() ^ kSign);
  return high != 0 ? high : a.low() <=> b.low();
}

/// ClickHouse's type UUID: octets 8 to 15 count first, then 0 to 7, each half as the RFC orders it. Kept
/// for compatibility; its documentation advises another key for UUIDv7.
[[nodiscard]] constexpr std::strong_ordering clickhouse_compare(const Uuid& a, const Uuid& b) {
  const auto low = a.low() <=> b.low();
  return low != 0 ? low : a.high() <=> b.high();
}
[[nodiscard]] constexpr UuidBytes clickhouse_sort_key(const Uuid& id) {
  return uuid_orders::moved(id, uuid_orders::kClickhouse);
}

/// Whether MariaDB's type UUID takes the text of the value, since 10.10.6 and 10.11.5. To tell its two ways
/// of storing apart it refuses a version of 8 and above where octet 8 is 0x01 to 0x80: all of variant 0 but
/// zero, and of the RFC's variant one random UUIDv8 in 64, where the six bits behind the variant are zero.
[[nodiscard]] constexpr bool mariadb_accepts(const Uuid& id) {
  const unsigned octet8 = uuid_orders::octet(id, 8);
  return uuid_orders::octet(id, 6) < 0x80 || octet8 == 0 || octet8 > 0x80;
}
/// MariaDB's type UUID in a record, since 10.10.6 and 10.11.5: the groups in reverse for octet 6 from 0x01
/// to 0x5f (that is, versions 1 to 5) of any variant but 0; all others as they are. ORDER BY and indexes go
/// by these bytes. (The operators < and > reverse only where both sides are of the first kind, and compare
/// octets otherwise; over a mixture that is no order at all, so there is no function for it here.)
/// REQUIRES: mariadb_accepts(id).
[[nodiscard]] constexpr UuidBytes to_mariadb_bytes(const Uuid& id) {
  const unsigned octet6 = uuid_orders::octet(id, 6);
  const bool reversed = octet6 > 0 && octet6 < 0x60 && uuid_orders::octet(id, 8) >= 0x80;
  return reversed ? uuid_orders::moved(id, uuid_orders::kMariadb) : bytes_sort_key(id);
}
/// Errors: WrongLength.
[[nodiscard]] constexpr Result<Uuid> from_mariadb_bytes(std::span<const std::byte> from) {
  MINTMARK_TRY(plain, Uuid::from_bytes(from));
  const unsigned octet8 = uuid_orders::octet(plain, 8);
  const bool reversed = uuid_orders::octet(plain, 6) >= 0x80 && octet8 > 0 && octet8 < 0x60;
  if (reversed) return uuid_orders::moved_back(from, uuid_orders::kMariadb);
  return plain;
}
[[nodiscard]] constexpr UuidBytes mariadb_sort_key(const Uuid& id) { return to_mariadb_bytes(id); }
[[nodiscard]] constexpr std::strong_ordering mariadb_compare(const Uuid& a, const Uuid& b) {
  return mariadb_sort_key(a) <=> mariadb_sort_key(b);
}

/// MariaDB's type UUID from 10.7 up to 10.10.5 and 10.11.4: the groups in reverse whatever the version. A
/// table that was made then keeps it until it is rebuilt. UUIDv7 is not time-ordered in it.
[[nodiscard]] constexpr UuidBytes mariadb_old_sort_key(const Uuid& id) {
  return uuid_orders::moved(id, uuid_orders::kMariadb);
}
[[nodiscard]] constexpr std::strong_ordering mariadb_old_compare(const Uuid& a, const Uuid& b) {
  return mariadb_old_sort_key(a) <=> mariadb_old_sort_key(b);
}

/// One order, for a program that is told its name.
struct UuidOrder {
  std::string_view name;   ///< as typed on the command line
  std::string_view whose;  ///< what sorts so
  UuidBytes (*sort_key)(const Uuid&);
  std::strong_ordering (*compare)(const Uuid&, const Uuid&);
};

inline constexpr UuidOrder kUuidOrders[] = {
    {"bytes", "RFC 9562, PostgreSQL, BINARY(16), RAW(16), .NET Guid", bytes_sort_key,
     bytes_compare},
    {"signed", "a signed 128-bit number", signed_sort_key, signed_compare},
    {"java", "java.util.UUID", java_sort_key, java_compare},
    {"sqlserver", "SQL Server uniqueidentifier", sql_server_sort_key, sql_server_compare},
    {"mysql-swap", "MySQL UUID_TO_BIN(u, 1)", mysql_swap_sort_key, mysql_swap_compare},
    {"mariadb", "MariaDB UUID since 10.10.6 and 10.11.5", mariadb_sort_key, mariadb_compare},
    {"mariadb-old", "MariaDB UUID before", mariadb_old_sort_key, mariadb_old_compare},
    {"clickhouse", "ClickHouse UUID", clickhouse_sort_key, clickhouse_compare},
};

/// The order of that name.
[[nodiscard]] constexpr std::optional<UuidOrder> find_uuid_order(std::string_view name) {
  const auto* const found = std::ranges::find(kUuidOrders, name, &UuidOrder::name);
  if (found == std::end(kUuidOrders)) return std::nullopt;
  return *found;
}

// The documentation of MySQL 8, UUID_TO_BIN().
static_assert(
    from_mysql_swap_bytes(to_mysql_swap_bytes("6ccd780c-baba-1026-9564-5b8c656024db"_uuid)) ==
    "6ccd780c-baba-1026-9564-5b8c656024db"_uuid);
static_assert(load_be<std::uint64_t>(to_mysql_swap_bytes(
                  "6ccd780c-baba-1026-9564-5b8c656024db"_uuid)) == 0x1026baba6ccd780c);
// 7fff... is the largest of the signed numbers.
static_assert(java_compare("7fffffff-ffff-ffff-0000-000000000000"_uuid,
                           "80000000-0000-0000-0000-000000000000"_uuid) > 0);

}  // namespace mintmark
