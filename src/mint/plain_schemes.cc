#include "mint/plain_schemes.h"

#include <algorithm>
#include <array>
#include <utility>

#include "mint/plain_space.h"
#include "mint/text_space.h"
#include "mintmark/scheme/cuid2.h"
#include "mintmark/scheme/ksuid.h"
#include "mintmark/scheme/nanoid_form.h"
#include "mintmark/scheme/object_id.h"
#include "mintmark/scheme/push_id.h"
#include "mintmark/scheme/ulid.h"
#include "mintmark/scheme/uuid_v1.h"
#include "mintmark/scheme/uuid_v4.h"
#include "mintmark/scheme/uuid_v6.h"
#include "mintmark/scheme/uuid_v7.h"
#include "mintmark/scheme/xid.h"

namespace mintmark::mint {
namespace {

template <class S>
std::unique_ptr<Space> make(const SpaceConfig& config, Entropy& entropy) {
  return std::make_unique<PlainSpace<S>>(config, entropy);
}

struct PlainRow {
  std::string_view scheme;
  std::unique_ptr<Space> (*make)(const SpaceConfig& config, Entropy& entropy);
};
template <class S>
constexpr PlainRow row() {
  return {S::facts.name, make<S>};
}
constexpr std::array kRows{row<UuidV1>(), row<UuidV4>(), row<UuidV6>(),   row<Ulid>(),
                           row<Ksuid>(),  row<Xid>(),    row<ObjectId>(), row<PushId>()};

std::unique_ptr<Space> make_kind(const SpaceConfig& config, const PlainConfig& kind,
                                 Entropy& entropy) {
  const auto found = std::ranges::find(kRows, kind.scheme, &PlainRow::scheme);
  MINTMARK_CHECK(found != kRows.end());  // kind_of gives no other
  return found->make(config, entropy);
}
std::unique_ptr<Space> make_kind(const SpaceConfig& config, const Uuid7Config& kind,
                                 Entropy& entropy) {
  return std::make_unique<PlainSpace<UuidV7>>(config, entropy, kind.options);
}
std::unique_ptr<Space> make_kind(const SpaceConfig& config, const TypeIdConfig& kind,
                                 Entropy& entropy) {
  // The prefix is the space's: its IDs are the UUIDs, which write() dresses.
  return std::make_unique<TypeIdSpace>(config, entropy, kind.prefix);
}
std::unique_ptr<Space> make_kind(const SpaceConfig& config, const NanoidConfig& kind,
                                 Entropy& entropy) {
  const auto form = NanoidForm::make(kind.alphabet, kind.size);
  MINTMARK_CHECK(form.has_value());  // checked where it was read
  return std::make_unique<TextSpace>(
      config, kind.size, [form = *form, &entropy](std::span<char> out, Instant) -> Result<void> {
        MINTMARK_TRY(written, form.write(entropy, out));
        return {};
      });
}
std::unique_ptr<Space> make_kind(const SpaceConfig& config, const Cuid2Config& kind,
                                 Entropy& entropy) {
  return std::make_unique<TextSpace>(
      config, kind.size,
      [generator = std::make_shared<Cuid2::Generator>(entropy)](std::span<char> out, Instant now) {
        return generator->write_text(out, now);
      });
}
std::unique_ptr<Space> make_kind(const SpaceConfig& config, const TokenConfig& kind,
                                 Entropy& entropy) {
  return std::make_unique<TextSpace>(
      config, Token::text_size(kind.dress, kind.bits),
      [kind, &entropy](std::span<char> out, Instant) -> Result<void> {
        MINTMARK_TRY(token, Token::draw(entropy, kind.bits));
        token.write(kind.dress, out);
        return {};
      });
}
std::unique_ptr<Space> make_kind(const SpaceConfig&, const SnowflakeConfig&, Entropy&) {
  return nullptr;
}
std::unique_ptr<Space> make_kind(const SpaceConfig&, const BlockConfig&, Entropy&) {
  return nullptr;
}

}  // namespace

std::unique_ptr<Space> make_plain_space(const SpaceConfig& config, Entropy& entropy) {
  return std::visit([&](const auto& kind) { return make_kind(config, kind, entropy); },
                    config.kind);
}

}  // namespace mintmark::mint
