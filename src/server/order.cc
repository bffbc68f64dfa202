#include "server/order.h"

#include <algorithm>
#include <charconv>
#include <chrono>

namespace mintmark::server {
namespace {

constexpr Duration kShortestWait = std::chrono::microseconds{200};
constexpr Duration kBlindWait = std::chrono::milliseconds{2};  // the error names no time
constexpr Duration kLongestWait =
    std::chrono::milliseconds{50};  // it may be over sooner than named
constexpr std::size_t kKeptBytes = 64 * 1024;

}  // namespace

Result<std::uint64_t> parse_count(std::string_view text) {
  if (text.empty()) return fail(Fault::invalid_argument);
  const auto stray = std::ranges::find_if(text, [](char c) { return c < '0' || c > '9'; });
  if (stray != text.end()) {
    return fail(Error::at(Fault::invalid_argument, static_cast<std::size_t>(stray - text.begin())));
  }
  std::uint64_t count = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), count);
  if (read.ec != std::errc{} || count > mint::kMostIds) return fail(Fault::too_many);
  if (count == 0) return fail(Fault::invalid_argument);
  return count;
}

Order::State Order::mint(mint::Mint& mint, mint::Space& space, std::uint64_t count,
                         const Moment& moment) {
  space_ = &space;
  wanted_ = Wanted::batch;
  waited_ = Duration::zero();
  batch_.start(space, static_cast<std::size_t>(count));
  return attempt(mint, moment);
}

Order::State Order::take(mint::Mint& mint, mint::Space& space, std::uint64_t count,
                         const Moment& moment) {
  space_ = &space;
  wanted_ = Wanted::run;
  waited_ = Duration::zero();
  count_ = count;
  return attempt(mint, moment);
}

Order::State Order::resume(mint::Mint& mint, const Moment& moment) {
  waited_ += moment.waited;
  return attempt(mint, moment);
}

Order::State Order::attempt(mint::Mint& mint, const Moment& moment) {
  if (is_run()) {
    const auto run = mint.take(*space_, count_, moment.wall);
    if (!run) return settle(run.error());
    run_ = *run;
    return state_ = State::done;
  }
  const std::size_t before = batch_.made;
  const auto made = mint.mint(batch_, moment.wall);
  if (made) return state_ = State::done;
  if (batch_.made > before) waited_ = Duration::zero();
  return settle(made.error());
}

Order::State Order::settle(Error error) {
  error_ = error;
  const Duration left = space_->patience(error) - waited_;
  if (left <= Duration::zero()) return state_ = State::refused;
  const Duration named = std::chrono::microseconds{error.retry_after_us()};
  const Duration wanted = named > Duration::zero() ? named : kBlindWait;
  wait_ = std::max(kShortestWait, std::min({wanted, left, kLongestWait}));
  return state_ = State::waiting;
}

void Order::finish() {
  state_ = State::idle;
  if (batch_.bytes.capacity() > kKeptBytes) batch_ = mint::Batch{};
}

}  // namespace mintmark::server
