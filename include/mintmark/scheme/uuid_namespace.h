// Namespaces: what a name-based UUID (v3, v5, and the example of v8) is a name in.
//
// A namespace is a UUID. RFC 9562 section 6.6 names four of them; any other UUID may be one, and a program
// that names its own things should draw a UUIDv4 once and use that. Two programs that share the namespace
// and spell the name alike get the same ID; the octets count, so decide how a name is spelled (case, normal
// form, a slash at the end) before the first ID is stored.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <string_view>

#include "mintmark/base/bytes.h"
#include "mintmark/base/digest.h"
#include "mintmark/base/error.h"
#include "mintmark/scheme/uuid.h"

namespace mintmark::namespaces {

inline constexpr Uuid kDns = "6ba7b810-9dad-11d1-80b4-00c04fd430c8"_uuid;  ///< a full domain name
inline constexpr Uuid kUrl = "6ba7b811-9dad-11d1-80b4-00c04fd430c8"_uuid;  ///< a URL
inline constexpr Uuid kOid =
    "6ba7b812-9dad-11d1-80b4-00c04fd430c8"_uuid;  ///< an ISO object identifier
inline constexpr Uuid kX500 =
    "6ba7b814-9dad-11d1-80b4-00c04fd430c8"_uuid;  ///< an X.500 name, DER or text

struct Named {
  std::string_view name;
  const Uuid& uuid;
};
inline constexpr Named kAll[] = {{"@dns", kDns}, {"@url", kUrl}, {"@oid", kOid}, {"@x500", kX500}};

/// The namespace of that name, "@dns" for example.
[[nodiscard]] constexpr std::optional<Uuid> find(std::string_view name) {
  const auto* const found = std::ranges::find(kAll, name, &Named::name);
  if (found == std::end(kAll)) return std::nullopt;
  return found->uuid;
}

/// A name with its @, or any UUID as Uuid::parse reads it. The @ keeps a mistyped name from being taken for
/// anything else. Errors: InvalidArgument for an unknown name; those of Uuid::parse.
[[nodiscard]] constexpr Result<Uuid> parse(std::string_view text) {
  if (!text.starts_with('@')) return Uuid::parse(text);
  const auto found = find(text);
  if (!found) return fail(Error::at(Fault::invalid_argument, 1));
  return *found;
}

/// The first 128 bits of the digest of a namespace's 16 octets and a name's, as a UUID that does not yet
/// say its version (RFC 9562 section 6.5). The name may be empty.
template <class Digest>
[[nodiscard]] constexpr Uuid digest_of(const Uuid& space, std::string_view name) {
  Digest digest;
  digest.update(space.bytes());
  digest.update(name);
  const auto value = digest.finish();
  const std::span<const std::byte> bytes{value};
  return Uuid::of(load_be<std::uint64_t>(bytes), load_be<std::uint64_t>(bytes.subspan(8)));
}

}  // namespace mintmark::namespaces
