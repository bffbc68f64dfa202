#include "mintmark/os.h"

#include <array>
#include <utility>

#include "c/open_mint.h"
#include "c/process_mint.h"
#include "io/os_clock.h"
#include "io/os_entropy.h"
#include "mintmark/base/bytes.h"
#include "mintmark/scheme/catalogue.h"

namespace mintmark {
namespace {

/// One new ID of the process's own space of the scheme.
template <Scheme S>
Result<S> one() {
  const auto space = c::process_space(S::facts.name);
  if (!space) return fail(space.error().error);
  std::array<std::byte, CatalogueId::kMostText> room;
  const std::size_t width = (*space)->width();
  MINTMARK_CHECK(width <= room.size());
  const auto id = std::span{room}.first(width);
  if (auto made = c::fill_all(**space, id); !made) return fail(made.error());
  if (width == S::facts.bytes) return S::from_bytes(id);
  // The bytes of a scheme that is text alone are its characters.
  return S::parse({reinterpret_cast<const char*>(id.data()), id.size()});
}

std::unexpected<Mint::Failure> as_public(Failure failure) {
  return std::unexpected(Mint::Failure{failure.error, std::move(failure.detail)});
}

}  // namespace

Entropy& os_entropy() { return io::os_entropy(); }
const Clock& os_clock() { return io::os_clock(); }
Instant wall_now() { return io::wall_now(); }

Result<UuidV1> uuid1() { return one<UuidV1>(); }
Result<UuidV4> uuid4() { return one<UuidV4>(); }
Result<UuidV6> uuid6() { return one<UuidV6>(); }
Result<UuidV7> uuid7() { return one<UuidV7>(); }
Result<Ulid> ulid() { return one<Ulid>(); }
Result<Ksuid> ksuid() { return one<Ksuid>(); }
Result<Xid> xid() { return one<Xid>(); }
Result<ObjectId> object_id() { return one<ObjectId>(); }
Result<PushId> push_id() { return one<PushId>(); }
Result<Nanoid> new_nanoid() { return one<Nanoid>(); }
Result<Cuid2> new_cuid2() { return one<Cuid2>(); }

Result<TypeId> type_id(const TypePrefix& prefix) {
  MINTMARK_TRY(id, one<UuidV7>());
  return TypeId{prefix, id};
}

struct Mint::Inside {
  std::unique_ptr<c::OpenMint> open;
};

Mint::Mint(std::unique_ptr<Inside> inside) : inside_(std::move(inside)) {}
Mint::Mint(Mint&&) noexcept = default;
Mint& Mint::operator=(Mint&&) noexcept = default;
Mint::~Mint() = default;

std::expected<Mint, Mint::Failure> Mint::open(std::string_view store) {
  return open(Options{.store = store});
}

std::expected<Mint, Mint::Failure> Mint::open(const Options& options) {
  auto opened = c::OpenMint::open({.space = {.space = options.space,
                                             .config = options.config,
                                             .layout = options.layout,
                                             .worker = options.worker,
                                             .horizon = options.horizon},
                                   .store = options.store,
                                   .waiting = options.waiting == Waiting::never
                                                  ? c::Waiting::never
                                                  : c::Waiting::as_the_space_allows});
  if (!opened) return as_public(std::move(opened.error()));
  return Mint{std::make_unique<Inside>(std::move(*opened))};
}

std::expected<void, Mint::Failure> Mint::wait_until_ready(Duration timeout) const {
  auto ready = inside_->open->wait_ready(timeout);
  if (!ready) return as_public(std::move(ready.error()));
  return {};
}

Result<std::uint64_t> Mint::next() {
  std::uint64_t number = 0;
  MINTMARK_TRY(made, fill({&number, 1}));
  return number;
}

Result<std::size_t> Mint::fill(std::span<std::uint64_t> out) {
  if (!inside_->open->space().is_number()) return fail(Fault::invalid_argument);
  std::size_t made = 0;
  const auto filled = inside_->open->fill(std::as_writable_bytes(out), made);
  if (!filled && made == 0) return fail(filled.error());
  for (std::uint64_t& number : out.first(made)) {
    number = load_be<std::uint64_t>(std::as_bytes(std::span{&number, 1}));
  }
  return made;
}

Result<std::size_t> Mint::next_text(std::span<char> out) {
  const mint::Space& space = inside_->open->space();
  std::array<std::byte, mint::kLongestNanoid> room;
  MINTMARK_CHECK(space.width() <= room.size());
  const auto id = std::span{room}.first(space.width());
  std::size_t made = 0;
  if (const auto filled = inside_->open->fill(id, made); !filled) return fail(filled.error());
  return space.write(id, out);
}

Result<Mint::Run> Mint::take(std::uint64_t count) {
  const auto run = inside_->open->take(count);
  if (!run) return fail(run.error());
  return Run{run->first, run->last};
}

std::size_t Mint::text_size() const { return inside_->open->space().text_size(); }

std::string Mint::trouble() const { return inside_->open->explained(Error{Fault::closed}).detail; }

}  // namespace mintmark
