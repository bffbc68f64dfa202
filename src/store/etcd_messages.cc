#include "store/etcd_messages.h"

#include <charconv>
#include <concepts>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "io/base64.h"

namespace mintmark::store::etcd {
namespace {

namespace json = boost::json;

/// One object of an answer. What is absent has its default; what has another type makes it no answer.
class Reader {
 public:
  explicit Reader(const json::value* value)
      : object_(value == nullptr ? nullptr : value->if_object()) {
    good_ = value == nullptr || object_ != nullptr;
  }

  [[nodiscard]] bool good() const { return good_; }

  std::string text(std::string_view name) {
    const json::value* found = find(name);
    if (found == nullptr) return {};
    const json::string* words = found->if_string();
    if (words == nullptr) return missed<std::string>();
    return {words->data(), words->size()};
  }
  std::string bytes(std::string_view name) {
    const auto plain = io::parse_base64(text(name));
    return plain ? *plain : missed<std::string>();
  }
  enum class Wanted : std::uint8_t { maybe, present };
  template <std::integral Number>
  Number number(std::string_view name, Wanted wanted = Wanted::maybe) {
    const std::string digits = text(name);
    if (digits.empty() && wanted == Wanted::maybe) return 0;
    Number value = 0;
    const char* end = digits.data() + digits.size();
    const auto [stop, error] = std::from_chars(digits.data(), end, value);
    return error == std::errc{} && stop == end ? value : missed<Number>();
  }
  bool flag(std::string_view name) {
    const json::value* found = find(name);
    if (found == nullptr) return false;
    const bool* value = found->if_bool();
    return value != nullptr ? *value : missed<bool>();
  }
  /// A small integer, which is a number in JSON too.
  int small(std::string_view name, int otherwise) {
    const json::value* found = find(name);
    if (found == nullptr) return otherwise;
    const std::int64_t* value = found->if_int64();
    return value != nullptr ? static_cast<int>(*value) : missed<int>();
  }
  std::vector<const json::value*> list(std::string_view name) {
    std::vector<const json::value*> values;
    const json::value* found = find(name);
    if (found == nullptr) return values;
    const json::array* array = found->if_array();
    if (array == nullptr) good_ = false;
    if (array != nullptr) {
      for (const json::value& value : *array) values.push_back(&value);
    }
    return values;
  }
  std::vector<std::string> texts(std::string_view name) {
    std::vector<std::string> all;
    for (const json::value* value : list(name)) {
      const json::string* words = value->if_string();
      if (words == nullptr) good_ = false;
      if (words != nullptr) all.emplace_back(words->data(), words->size());
    }
    return all;
  }
  template <class Part, class Read>
  Part part(std::string_view name, const Read& read) {
    return part<Part>(find(name), read);
  }
  template <class Part, class Read>
  Part part(const json::value* value, const Read& read) {
    Reader reader{value};
    Part result = read(reader);
    good_ = good_ && reader.good();
    return result;
  }

  [[nodiscard]] const json::value* find(std::string_view name) const {
    return object_ == nullptr ? nullptr : object_->if_contains({name.data(), name.size()});
  }

 private:
  template <class Value>
  Value missed() {
    good_ = false;
    return {};
  }

  const json::object* object_;
  bool good_;
};

/// Reads a whole answer.
template <class Read>
auto parse(std::string_view text, const Read& read)
    -> std::optional<decltype(read(std::declval<Reader&>()))> {
  json::error_code error;
  const json::value value = json::parse({text.data(), text.size()}, error);
  if (error) return std::nullopt;
  Reader reader{&value};
  auto result = read(reader);
  if (!reader.good()) return std::nullopt;
  return result;
}

Header header_in(Reader& reader) {
  return reader.part<Header>("header", [](Reader& header) {
    return Header{header.number<std::uint64_t>("cluster_id", Reader::Wanted::present),
                  header.number<std::int64_t>("revision")};
  });
}

std::vector<Row> rows_in(Reader& range) {
  std::vector<Row> rows;
  for (const json::value* value : range.list("kvs")) {
    rows.push_back(range.part<Row>(value, [](Reader& row) {
      return Row{row.bytes("key"),
                 Kept{row.bytes("value"), row.number<std::int64_t>("mod_revision")}};
    }));
  }
  return rows;
}

json::string encoded(std::string_view bytes) { return json::string{io::base64(bytes)}; }

/// etcd documentation, "API": a key with the version 0 is not there. The value is compared too, because after
/// a restore the same revision comes again.
void put_comparisons(json::array& compare, std::string_view prefix, const Condition& condition) {
  const json::string key = encoded(full_key(prefix, condition.key));
  const auto put = [&](const char* target, const char* field, json::string value) {
    compare.push_back(json::object{
        {"key", key}, {"target", target}, {"result", "EQUAL"}, {field, std::move(value)}});
  };
  if (condition.kept) {
    put("VALUE", "value", encoded(condition.kept->value));
    put("MOD", "mod_revision", json::string{std::to_string(condition.kept->version)});
  } else {
    put("VERSION", "version", "0");
  }
}

json::object range_of(std::string_view key) {
  return {{"request_range", json::object{{"key", encoded(key)}}}};
}

json::object operation(std::string_view prefix, const Change& change) {
  json::object request{{"key", encoded(full_key(prefix, change.key))}};
  if (!change.value) return {{"request_delete_range", std::move(request)}};
  request["value"] = encoded(*change.value);
  return {{"request_put", std::move(request)}};
}

}  // namespace

std::string folder_start(std::string_view prefix, std::string_view folder) {
  return fmt::format("{}/{}/", prefix, folder);
}

std::string nobodys_key(std::string_view prefix) { return fmt::format("{}/", prefix); }

std::string full_key(std::string_view prefix, const Key& key) {
  return folder_start(prefix, key.folder) + key.name;
}

std::string login_text(std::string_view user, std::string_view password) {
  return json::serialize(
      json::object{{"name", json::string{user.data(), user.size()}},
                   {"password", json::string{password.data(), password.size()}}});
}

std::string page_text(std::string_view first, std::string_view end, std::size_t limit) {
  return json::serialize(json::object{
      {"key", encoded(first)}, {"range_end", encoded(end)}, {"limit", std::to_string(limit)}});
}

std::string delete_text(std::string_view key) {
  return json::serialize(json::object{{"key", encoded(key)}});
}

std::string read_text(std::string_view prefix, std::span<const Key> keys) {
  json::array ranges;
  for (const Key& key : keys) ranges.push_back(range_of(full_key(prefix, key)));
  if (keys.empty()) ranges.push_back(range_of(nobodys_key(prefix)));
  return json::serialize(json::object{{"success", std::move(ranges)}});
}

std::string write_text(std::string_view prefix, std::span<const Condition> conditions,
                       std::span<const Change> changes) {
  json::array compare;
  for (const Condition& condition : conditions) put_comparisons(compare, prefix, condition);
  json::array success;
  for (const Change& change : changes) success.push_back(operation(prefix, change));
  if (changes.empty() && !conditions.empty()) {
    success.push_back(range_of(full_key(prefix, conditions.front().key)));
  }
  return json::serialize(
      json::object{{"compare", std::move(compare)}, {"success", std::move(success)}});
}

std::optional<std::string> parse_login(std::string_view text) {
  return parse(text, [](Reader& answer) { return answer.text("token"); });
}

std::optional<Page> parse_page(std::string_view text) {
  return parse(text, [](Reader& answer) {
    return Page{header_in(answer), rows_in(answer), answer.flag("more")};
  });
}

std::optional<Done> parse_done(std::string_view text) {
  return parse(text, [](Reader& answer) {
    Done done{header_in(answer), answer.flag("succeeded"), {}};
    for (const json::value* value : answer.list("responses")) {
      done.ranges.push_back(answer.part<std::optional<Row>>(value, [](Reader& response) {
        auto rows = response.part<std::vector<Row>>("response_range", rows_in);
        return rows.empty() ? std::nullopt : std::optional{std::move(rows.front())};
      }));
    }
    return done;
  });
}

std::optional<Status> parse_status(std::string_view text) {
  return parse(text, [](Reader& answer) {
    return Status{.header = header_in(answer),
                  .version = answer.text("version"),
                  .has_leader = answer.number<std::uint64_t>("leader") != 0,
                  .learner = answer.flag("isLearner"),
                  .errors = answer.texts("errors")};
  });
}

std::optional<Refusal> parse_refusal(std::string_view text) {
  return parse(text, [](Reader& answer) {
    return Refusal{answer.small("code", 2), answer.text("message")};
  });
}

}  // namespace mintmark::store::etcd
