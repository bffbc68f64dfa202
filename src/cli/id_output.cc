#include "cli/id_output.h"

#include <algorithm>
#include <array>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include "cli/words.h"
#include "mint/did_you_mean.h"

namespace mintmark::cli {
namespace {

constexpr std::array kForms{
    OutputForm{"plain", "", "", "\n", "", ""},
    OutputForm{"json", "[", "{\"id\":\"", "\"}", ",\n", "]\n"},
    OutputForm{"jsonl", "", "{\"id\":\"", "\"}\n", "", ""},
    OutputForm{"tsv", "id\n", "", "\n", "", ""},
    OutputForm{"bin", "", "", "", "", ""},
};

/// REQUIRES: there is room.
void put_text(std::span<char>& room, std::string_view text) {
  std::copy(text.begin(), text.end(), room.begin());
  room = room.subspan(text.size());
}

}  // namespace

OrExit<const OutputForm*> output_form(const Arguments& arguments) {
  const std::string name =
      arguments.value("output").value_or(arguments.has("json") ? "json" : "plain");
  std::vector<std::string_view> names;
  for (const OutputForm& form : kForms) {
    if (form.name == name) return &form;
    names.push_back(form.name);
  }
  return std::unexpected(
      usage_error(fmt::format("--output: '{}' is not plain, json, jsonl, tsv or bin{}", name,
                              mint::did_you_mean(name, names))));
}

IdOutput::IdOutput(const OutputForm& form) : form_(form), out_(STDOUT_FILENO) {
  out_.put(form_.open);
}

bool IdOutput::is_binary() const { return &form_ == &kForms.back(); }

bool IdOutput::is_lines() const {
  return form_.before.empty() && form_.between.empty() && form_.after.size() == 1;
}

void IdOutput::put(const mint::Space& space, std::span<const std::byte> ids) {
  if (is_binary()) {
    out_.put(ids);
    return;
  }
  const std::size_t width = space.width();
  const std::size_t longest =
      form_.between.size() + form_.before.size() + space.text_size() + form_.after.size();
  if (is_lines()) {
    while (!ids.empty()) {
      const std::span<char> room = out_.room(longest);
      const auto some = ids.first(std::min(ids.size(), room.size() / longest * width));
      out_.used(space.write_all(some, form_.after.front(), room));
      ids = ids.subspan(some.size());
    }
    return;
  }
  for (; !ids.empty(); ids = ids.subspan(width)) {
    std::span<char> room = out_.room(longest);
    const std::size_t before = room.size();
    if (!first_) put_text(room, form_.between);
    first_ = false;
    put_text(room, form_.before);
    room = room.subspan(space.write(ids.first(width), room));
    put_text(room, form_.after);
    out_.used(before - room.size());
  }
}

void IdOutput::put(std::string_view text, std::span<const std::byte> bytes) {
  if (is_binary()) {
    out_.put(bytes);
    return;
  }
  if (!first_) out_.put(form_.between);
  first_ = false;
  out_.put(form_.before);
  out_.put(text);
  out_.put(form_.after);
}

int IdOutput::finish(int code) {
  out_.put(form_.close);
  return cli::finish(out_, code);
}

void IdOutput::break_off() { static_cast<void>(cli::finish(out_, kDone)); }

}  // namespace mintmark::cli
