#include "store/redis_write.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "io/one_line.h"
#include "mintmark/base/digest.h"

namespace mintmark::store {
namespace {

using Type = io::RespReply::Type;

// KEYS: the counter of writes, then the folders. ARGV: the replication id, the least count of writes, the
// numbers of conditions and of changes; then four words for each of both: number of the key, field, whether
// there is a value, the value.
constexpr std::string_view kScript = R"(
local info = redis.call('INFO', 'replication')
if not info:find('master_replid:' .. ARGV[1], 1, true) then return {'replaced'} end
for i, key in ipairs(KEYS) do
  local kind = redis.call('TYPE', key).ok
  if kind ~= 'none' and kind ~= (i == 1 and 'string' or 'hash') then return {'kind', key, kind} end
  if redis.call('PTTL', key) >= 0 then return {'expires', key} end
end
local writes = redis.call('GET', KEYS[1]) or '0'
if not writes:find('^%d+$') then return {'kind', KEYS[1], 'no number'} end
if tonumber(writes) < tonumber(ARGV[2]) then return {'regressed', writes, ARGV[2]} end

local at = 5
local function take()
  local key, field = KEYS[tonumber(ARGV[at])], ARGV[at + 1]
  local value = ARGV[at + 2] == '1' and ARGV[at + 3]
  at = at + 4
  return key, field, value
end
for _ = 1, tonumber(ARGV[3]) do
  local key, field, value = take()
  if redis.call('HGET', key, field) ~= value then return {'differs'} end
end
writes = redis.call('INCR', KEYS[1])
for _ = 1, tonumber(ARGV[4]) do
  local key, field, value = take()
  if value then redis.call('HSET', key, field, value) else redis.call('HDEL', key, field) end
end
return {'written', writes, select(2, info:gsub('state=online', ''))}
)";

/// Errors by which Redis refuses a command, or the first change of a script, before it does anything.
constexpr std::array<std::string_view, 8> kNothingDone{
    "NOAUTH", "NOPERM", "OOM", "MISCONF", "NOREPLICAS", "LOADING", "BUSY", "MASTERDOWN"};

/// The keys of the script: the counter and each folder once, and the number of each, from 1.
class Keys {
 public:
  Keys(std::string_view first, const std::function<std::string(std::string_view)>& key_of)
      : key_of_(key_of), keys_{std::string{first}} {}

  std::size_t number_of(std::string_view folder) {
    std::string key = key_of_(folder);
    const auto found = std::ranges::find(keys_, key);
    const auto index = static_cast<std::size_t>(found - keys_.begin());
    if (found == keys_.end()) keys_.push_back(std::move(key));
    return index + 1;
  }
  [[nodiscard]] const std::vector<std::string>& all() const { return keys_; }

 private:
  const std::function<std::string(std::string_view)>& key_of_;
  std::vector<std::string> keys_;
};

void add_four(std::vector<std::string>& words, std::size_t key, const std::string& name,
              const std::string* value) {
  words.push_back(std::to_string(key));
  words.push_back(name);
  words.emplace_back(value == nullptr ? "0" : "1");
  words.push_back(value == nullptr ? std::string{} : *value);
}

Failure error_of(std::string_view words) {
  const std::string_view code = words.substr(0, words.find(' '));
  const bool nothing = std::ranges::find(kNothingDone, code) != kNothingDone.end();
  Fault fault = nothing ? Fault::store_unavailable : Fault::outcome_unknown;
  if (code == "READONLY") fault = Fault::incarnation_changed;
  return {Error{fault}, io::one_line(words)};
}

/// Why the script wrote nothing, by its first word.
Failure refusal_of(std::string_view word, const std::vector<io::RespReply>& items) {
  const auto text = [&](std::size_t i) {
    return i < items.size() ? std::string_view{items[i].text} : std::string_view{};
  };
  if (word == "replaced") {
    return {Error{Fault::incarnation_changed}, "master_replid is another than before"};
  }
  if (word == "regressed") {
    return {Error{Fault::store_regressed},
            fmt::format("it counts {} writes, and had counted {}", text(1), text(2))};
  }
  if (word == "expires") {
    return {Error{Fault::unsafe_store_config},
            fmt::format("the key {} has a time to live: found one, wanted none", text(1))};
  }
  if (word == "kind") {
    return {Error{Fault::store_unavailable},
            fmt::format("the key {} is not one of this store: it is {}", text(1), text(2))};
  }
  return {Error{Fault::outcome_unknown}, "an answer that the script does not give"};
}

}  // namespace

std::string_view redis_write_script() { return kScript; }

const std::string& redis_write_digest() {
  static const std::string digits = [] {
    std::string text;
    for (const std::byte byte : Sha1::of(kScript)) text += fmt::format("{:02x}", byte);
    return text;
  }();
  return digits;
}

std::vector<std::string> redis_write_arguments(
    const RedisGround& ground, std::span<const Condition> conditions,
    std::span<const Change> changes, const std::function<std::string(std::string_view)>& key_of) {
  Keys keys{ground.writes_key, key_of};
  std::vector<std::string> fours;
  for (const auto& [key, kept] : conditions) {
    add_four(fours, keys.number_of(key.folder), key.name, kept ? &kept->value : nullptr);
  }
  for (const auto& [key, value] : changes) {
    add_four(fours, keys.number_of(key.folder), key.name, value ? &*value : nullptr);
  }
  std::vector<std::string> all{std::to_string(keys.all().size())};
  all.insert(all.end(), keys.all().begin(), keys.all().end());
  all.insert(all.end(), {std::string{ground.replication_id}, std::to_string(ground.writes),
                         std::to_string(conditions.size()), std::to_string(changes.size())});
  all.insert(all.end(), std::make_move_iterator(fours.begin()),
             std::make_move_iterator(fours.end()));
  return all;
}

Outcome<RedisWritten> redis_written(const io::RespReply& reply) {
  if (reply.is(Type::error)) return std::unexpected(error_of(reply.text));
  const std::string_view word = reply.items.empty() ? "" : std::string_view{reply.items[0].text};
  if (word == "differs") return RedisWritten{};
  const bool written = word == "written" && reply.items.size() == 3 &&
                       reply.items[1].is(Type::integer) && reply.items[2].is(Type::integer);
  if (!written) return std::unexpected(refusal_of(word, reply.items));
  return RedisWritten{.written = true,
                      .writes = static_cast<std::uint64_t>(reply.items[1].number),
                      .replicas = static_cast<std::size_t>(reply.items[2].number)};
}

}  // namespace mintmark::store
