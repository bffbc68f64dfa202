// What etcd is asked through its JSON gateway, and what it answers (etcd documentation, "gRPC gateway").
//
// The messages are those of its gRPC service as proto3 writes them in JSON: bytes are base64, integers of 64
// bits are strings, and a field that has its default (0, false, empty) is absent; so is `succeeded` when it
// is false. Effects are none here: texts in, values out.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "store/key_value.h"

namespace mintmark::store::etcd {

/// Of every answer: which cluster, and how far it has got.
struct Header {
  std::uint64_t cluster = 0;
  std::int64_t revision = 0;
};

struct Row {
  std::string key;
  Kept kept;  ///< its version is mod_revision
};

/// The answer to a range, and to a delete.
struct Page {
  Header header;
  std::vector<Row> rows;
  bool more = false;  ///< the limit cut it
};

/// The answer to a Txn.
struct Done {
  Header header;
  bool succeeded = false;
  std::vector<std::optional<Row>> ranges;  ///< the first row of each range in it
};

/// What a member says of itself.
struct Status {
  Header header;
  std::string version;
  bool has_leader = false;
  bool learner = false;
  std::vector<std::string> errors;  ///< alarms, and the want of a leader
};

/// An error as the gateway writes it. `code` is gRPC's (its documentation, "Status codes and their use").
struct Refusal {
  int code = 2;  ///< UNKNOWN
  std::string words;
};

/// `<prefix>/<folder>/`, before the names of a folder.
[[nodiscard]] std::string folder_start(std::string_view prefix, std::string_view folder);
/// `<prefix>/`: the user may read and write it, and no key of a folder is spelled so.
[[nodiscard]] std::string nobodys_key(std::string_view prefix);
[[nodiscard]] std::string full_key(std::string_view prefix, const Key& key);

[[nodiscard]] std::string login_text(std::string_view user, std::string_view password);
/// At most `limit` rows from `first` on, below `end`.
[[nodiscard]] std::string page_text(std::string_view first, std::string_view end,
                                    std::size_t limit);
[[nodiscard]] std::string delete_text(std::string_view key);
/// One Txn of a range for each key; of one range if there is no key. A Txn without any operation counts as
/// serializable, and a member answers it from what it has.
[[nodiscard]] std::string read_text(std::string_view prefix, std::span<const Key> keys);
/// One Txn: the changes, if each key has its value and its mod_revision, or is not there. Without a change it
/// has one range, for the same reason.
[[nodiscard]] std::string write_text(std::string_view prefix, std::span<const Condition> conditions,
                                     std::span<const Change> changes);

// Nothing: these are not the words of etcd.
[[nodiscard]] std::optional<std::string> parse_login(std::string_view text);
[[nodiscard]] std::optional<Page> parse_page(std::string_view text);
[[nodiscard]] std::optional<Done> parse_done(std::string_view text);
[[nodiscard]] std::optional<Status> parse_status(std::string_view text);
[[nodiscard]] std::optional<Refusal> parse_refusal(std::string_view text);

}  // namespace mintmark::store::etcd
