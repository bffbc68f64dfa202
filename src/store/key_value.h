// What a store on an engine of keys and values needs of it: reading, and one conditional write.
//
// Redis, etcd and ZooKeeper have it in three forms: a script, a Txn, a multi. Everything above it is one
// (key_value_store.h), so an engine is a file that knows its server's protocol and nothing of marks.
//
// Keys have two levels, a folder and a name in it, because each engine can list a folder: Redis as a hash
// and its fields, etcd as a prefix, ZooKeeper as a node and its children. Folders and names are made of
// letters, digits, '-', '_' and '%'; a folder may contain '/', which neither begins nor ends it. Values are
// any bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/failure.h"
#include "mintmark/base/time.h"
#include "store/store.h"

namespace mintmark::store {

struct Key {
  std::string folder;
  std::string name;

  friend bool operator==(const Key&, const Key&) = default;
};

/// What was there when it was read.
struct Kept {
  std::string value;
  /// What the engine counts the writes of this key by (mod_revision, mzxid); 0 where it does not.
  std::int64_t version = 0;
};

/// The key has this very value, and the version with it, or it is not there at all.
struct Condition {
  Key key;
  std::optional<Kept> kept;
};

/// The key's new value; nothing: the key goes.
struct Change {
  Key key;
  std::optional<std::string> value;
};

/// A handle: one connection, one thread at a time. It connects by itself, and again after a connection was
/// lost; each new connection is checked (KeyValue::identity, settings) before it serves. It never sends a
/// write twice. Every call ends by its deadline, which is one of io::os_clock(). After fork() the child uses
/// none of it; the destructor then leaves the parent's session alone.
///
/// Errors of every call: StoreUnavailable (definite: nothing was written), UnsafeStoreConfig,
/// IncarnationChanged (another server than the one that this handle was opened on, or one that is no
/// primary). Of write alone: OutcomeUnknown.
class KeyValue {
 public:
  KeyValue() = default;
  KeyValue(const KeyValue&) = delete;
  KeyValue& operator=(const KeyValue&) = delete;
  virtual ~KeyValue() = default;

  /// The most conditions, and the most changes, of one write.
  [[nodiscard]] virtual std::size_t most_changes() const = 0;

  struct Reading {
    std::vector<std::optional<Kept>> kept;  ///< in the order of the keys
    std::optional<Instant> now;             ///< the server's clock, read before this call returned
  };
  /// A hint, like every read: only write decides.
  virtual Outcome<Reading> read(std::span<const Key> keys, BootInstant deadline) = 0;

  /// Names and values of all keys of a folder, in no order; of none if the folder is not there.
  virtual Outcome<std::vector<std::pair<std::string, std::string>>> list(std::string_view folder,
                                                                         BootInstant deadline) = 0;

  /// Carries out all changes if all conditions hold, in one step, durable before it returns: true. False: a
  /// condition does not hold, and nothing was written. REQUIRES: no key twice among the changes.
  virtual Outcome<bool> write(std::span<const Condition> conditions,
                              std::span<const Change> changes, BootInstant deadline) = 0;

  /// Who the server is, how far it has got, what time it has; asked of it now.
  virtual Outcome<Identity> identity(BootInstant deadline) = 0;
};

}  // namespace mintmark::store
