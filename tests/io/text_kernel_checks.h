// What every text kernel must do, said by the headers: used by its test with texts that cover the alphabet,
// and by its fuzz target with texts that nobody thought of. Each check returns what went wrong, or nothing.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/text_kernels.h"
#include "mintmark/scheme/ulid.h"
#include "mintmark/scheme/uuid.h"

namespace mintmark::io {

using IdBytes = std::array<std::byte, 16>;

/// The kernels that this CPU runs.
inline const std::vector<TextKernel::Kind>& running_kernels() {
  static const std::vector<TextKernel::Kind> running = [] {
    std::vector<TextKernel::Kind> kinds;
    for (const auto kind :
         {TextKernel::Kind::portable, TextKernel::Kind::sse4, TextKernel::Kind::avx2}) {
      if (TextKernel::runs(kind)) kinds.push_back(kind);
    }
    return kinds;
  }();
  return running;
}

inline std::string complaint(TextKernel::Kind kind, std::string_view what, std::string_view text) {
  return "kernel " + std::to_string(static_cast<int>(kind)) + " " + std::string{what} + " " +
         std::string{text};
}

/// The scheme and the codec of one kind of text.
struct UuidText {
  using Scheme = Uuid;
  static constexpr const auto& codec(const TextKernel& kernel) { return kernel.uuid; }
};
struct UlidText {
  using Scheme = Ulid;
  static constexpr const auto& codec(const TextKernel& kernel) { return kernel.ulid; }
};

/// The text that the header writes.
template <class Text>
std::string text_of(const IdBytes& id) {
  std::string text(Text::Scheme::facts.text_size, '?');
  Text::Scheme::from_bytes(id)->write(std::span{text});
  return text;
}

/// Every kernel takes and refuses what the header does, and reads the same.
template <class Text>
std::string check_read(std::string_view text) {
  const auto expected = text.size() == Text::Scheme::facts.text_size ? Text::Scheme::parse(text)
                                                                     : fail(Fault::wrong_length);
  for (const auto kind : running_kernels()) {
    IdBytes id{};
    const bool read = Text::codec(TextKernel::of(kind)).read(text, id);
    if (read != expected.has_value()) return complaint(kind, read ? "takes" : "refuses", text);
    if (read && Text::Scheme::from_bytes(id) != *expected) {
      return complaint(kind, "reads another ID of", text);
    }
  }
  return {};
}

/// Every kernel writes what the header does, and not a byte more.
template <class Text>
std::string check_write(const IdBytes& id) {
  constexpr std::size_t kChars = Text::Scheme::facts.text_size;
  constexpr std::size_t kAround = 40;
  std::array<char, kAround + kChars + kAround> expected;
  expected.fill('~');
  Text::Scheme::from_bytes(id)->write(std::span{expected}.subspan(kAround, kChars));
  for (const auto kind : running_kernels()) {
    std::array<char, kAround + kChars + kAround> out;
    out.fill('~');
    Text::codec(TextKernel::of(kind))
        .write(id, std::span{out}.subspan(kAround).template first<kChars>());
    if (out != expected) return complaint(kind, "writes", {out.data(), out.size()});
  }
  return {};
}

/// Every kernel writes many IDs as it writes each, and reads them up to the first that is none.
template <class Text>
std::string check_many(std::span<const IdBytes> ids, std::size_t damaged, char after) {
  const auto bytes = std::as_bytes(ids);
  const std::string around(40, '~');
  std::string expected;
  for (const IdBytes& id : ids) expected += text_of<Text>(id) + after;
  for (const auto kind : running_kernels()) {
    const auto& codec = Text::codec(TextKernel::of(kind));
    std::string out(expected.size() + around.size(), '~');
    const std::size_t size = codec.write_all(bytes, after, std::span{out});
    if (size != expected.size() || out != expected + around) {
      return complaint(kind, "writes", out);
    }
    out.resize(size);
    std::vector<IdBytes> read(ids.size());
    const auto room = std::as_writable_bytes(std::span{read});
    if (codec.read_all(out, after, room) != ids.size() || !std::ranges::equal(read, ids)) {
      return complaint(kind, "does not give back", out);
    }
    if (ids.empty()) continue;
    // Whatever stands there, this is another character and none of any text.
    out[damaged % size] = out[damaged % size] == '~' ? '!' : '~';
    if (codec.read_all(out, after, room) != damaged % size / (codec.kChars + 1)) {
      return complaint(kind, "does not stop in", out);
    }
  }
  return {};
}

}  // namespace mintmark::io
