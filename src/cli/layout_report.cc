#include "cli/layout_report.h"

#include <algorithm>
#include <array>
#include <bit>

#include <fmt/format.h>

#include "cli/quantities.h"
#include "mint/space_config.h"
#include "mintmark/scheme/row_id.h"
#include "mintmark/scheme/tsid.h"

namespace mintmark::cli {
namespace {

constexpr Duration kYear = std::chrono::hours{24 * 365};

/// The shares of the residues 0 to n - 1.
using Shares = std::vector<double>;

/// How the values of `width` bits at `shift` fall, each value as likely.
Shares shares_of(unsigned width, unsigned shift, unsigned n) {
  std::uint64_t step = 1 % n;
  for (unsigned i = 0; i < shift; ++i) step = step * 2 % n;
  const std::uint64_t values = std::uint64_t{1} << width;
  Shares shares(n);
  // A value and the one n further fall on the same residue.
  for (std::uint64_t value = 0; value < std::min<std::uint64_t>(values, n); ++value) {
    const std::uint64_t alike = (values - 1 - value) / n + 1;
    shares[value * step % n] += static_cast<double>(alike) / static_cast<double>(values);
  }
  return shares;
}

/// The sum of two that do not depend on each other.
Shares sum_of(const Shares& left, const Shares& right) {
  const std::size_t n = left.size();
  Shares sum(n);
  for (std::size_t i = 0; i < n; ++i) {
    if (left[i] == 0) continue;
    for (std::size_t j = 0; j < n; ++j) sum[(i + j) % n] += left[i] * right[j];
  }
  return sum;
}

}  // namespace

const std::vector<KnownLayout>& known_layouts() {
  static const std::vector<KnownLayout> kKnown = [] {
    std::vector<KnownLayout> known;
    for (const layouts::Named& preset : layouts::kPresets)
      known.push_back({preset.name, preset.layout});
    known.push_back({Tsid::facts.name, layouts::tsid});
    known.push_back({RowId::facts.name, layouts::row_id});
    return known;
  }();
  return kKnown;
}

std::expected<KnownLayout, std::string> find_layout(std::string_view text) {
  for (const KnownLayout& known : known_layouts()) {
    if (known.name == text) return known;
  }
  auto layout = mint::read_layout(text);
  if (!layout) return std::unexpected(std::move(layout.error()));
  for (const KnownLayout& known : known_layouts()) {
    if (known.layout == *layout) return known;
  }
  return KnownLayout{{}, *layout};
}

U128 ids_a_tick(const SnowflakeLayout& layout, Workers workers) {
  const U128 ids = U128{1} << layout.sequence_bits();
  return workers == Workers::one ? ids : ids * layout.slot_count();
}

std::string ids_a_second(const SnowflakeLayout& layout, Workers workers) {
  const auto unit = static_cast<U128>(layout.unit().count());
  const U128 scaled = ids_a_tick(layout, workers) * static_cast<U128>(Duration::period::den);
  std::string text = digits_of(scaled / unit);
  const auto thousandths = static_cast<unsigned>(scaled % unit * 1'000 / unit);
  if (thousandths == 0) return text;
  text += fmt::format(".{:03}", thousandths);
  text.erase(text.find_last_not_of('0') + 1);
  return text;
}

std::optional<Instant> exceeds(const SnowflakeLayout& layout, std::uint64_t most) {
  if (layout.largest() <= most) return std::nullopt;
  if (!layout.sorts_by_time()) return layout.epoch();
  // The bits below the time may all be ones in any tick.
  const unsigned shift = layout.time_shift();
  const std::uint64_t below = low_bits(shift);
  const std::uint64_t tick = most < below ? 0 : ((most - below) >> shift) + 1;
  return layout.instant_of(tick);
}

Life life_of(const SnowflakeLayout& layout, Instant now) {
  if (now >= layout.end()) return Life::ended;
  if (now < layout.epoch()) return Life::not_begun;
  return layout.end() - now < kYear ? Life::in_its_last_year : Life::lasting;
}

Residues residues_of(const SnowflakeLayout& layout, unsigned n,
                     SnowflakePolicy::SequenceStart start, Workers workers) {
  Shares shares(n);
  shares[0] = 1;
  for (const LayoutField& field : layout.fields()) {
    unsigned width = field.width;
    if (field.role == FieldRole::time) {
      width = static_cast<unsigned>(std::bit_width(layout.last_tick()));
    } else if (field.role == FieldRole::node && workers == Workers::one) {
      continue;  // the same for every ID: it moves the residues, and all alike
    } else if (field.role == FieldRole::sequence && start == SnowflakePolicy::SequenceStart::zero) {
      continue;
    }
    shares = sum_of(shares, shares_of(width, field.shift, n));
  }
  Residues residues;
  for (const double share : shares) {
    residues.count += share > 0 ? 1U : 0U;
    residues.busiest = std::max(residues.busiest, share);
  }
  return residues;
}

unsigned constant_bits(const SnowflakeLayout& layout, SnowflakePolicy::SequenceStart start) {
  if (layout.sequence_bits() == 0 || start == SnowflakePolicy::SequenceStart::zero) {
    return layout.time_shift();
  }
  return std::min(layout.time_shift(), layout.sequence_shift());
}

std::vector<Overlap> overlaps_of(const SnowflakeLayout& layout, Instant now) {
  std::vector<Overlap> overlaps;
  const auto tick = layout.tick_at(now);
  if (!tick || !layout.sorts_by_time()) return overlaps;
  const std::uint64_t value = *tick << layout.time_shift();
  for (const auto& [name, other] : known_layouts()) {
    if (other == layout) continue;
    Overlap overlap{.name = name, .kind = Overlap::Kind::never, .time = std::nullopt};
    if (value <= other.largest()) {
      const Instant time = other.instant_of(other.tick_of(value));
      overlap.time = time;
      const bool together = time <= now && now < time + other.unit();
      overlap.kind = together     ? Overlap::Kind::same_time
                     : time < now ? Overlap::Kind::given
                                  : Overlap::Kind::to_come;
    }
    overlaps.push_back(overlap);
  }
  return overlaps;
}

std::string text_of(const SnowflakeLayout& layout) {
  std::array<char, SnowflakeLayout::kMostText> text{};
  return {text.data(), layout.write(text)};
}

std::vector<std::string> warnings_of(const SnowflakeLayout& layout, Instant now) {
  std::vector<std::string> warnings;
  const std::string end{TimeText{layout.end()}.view()};
  switch (life_of(layout, now)) {
    case Life::not_begun:
      warnings.push_back(
          fmt::format("the layout begins on {}; until then minting is refused with {}",
                      TimeText{layout.epoch()}.view(), row_of(Fault::clock_before_epoch).name));
      break;
    case Life::in_its_last_year:
      warnings.push_back(
          fmt::format("the time field ends on {}, in {} days; move to another layout", end,
                      (layout.end() - now) / Duration{std::chrono::hours{24}}));
      break;
    case Life::ended:
      warnings.push_back(fmt::format("the time field has ended on {}; minting is refused with {}",
                                     end, row_of(Fault::timestamp_overflow).name));
      break;
    case Life::lasting:
      break;
  }
  return warnings;
}

}  // namespace mintmark::cli
