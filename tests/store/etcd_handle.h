// A handle on the servers of a test, and its calls for tests that expect them to succeed.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "io/os_clock.h"
#include "store/etcd.h"
#include "tests/etcd_server.h"

namespace mintmark::store {

inline BootInstant within(Duration length) { return io::os_clock().boot() + length; }
inline BootInstant soon() { return within(std::chrono::seconds{60}); }

inline std::unique_ptr<KeyValue> open_etcd(const io::ServiceUrl& url,
                                           Unsafe unsafe = Unsafe::refuse) {
  auto opened = connect_etcd(url, unsafe, soon());
  if (!opened) {
    ADD_FAILURE() << opened.error().detail;
    return nullptr;
  }
  return std::move(*opened);
}

inline std::optional<Kept> get(KeyValue& store, const Key& key) {
  const auto reading = store.read(std::vector{key}, soon());
  if (!reading) ADD_FAILURE() << reading.error().detail;
  return reading ? reading->kept.front() : std::nullopt;
}
inline std::string value(KeyValue& store, const Key& key) {
  return get(store, key).value_or(Kept{"nothing", 0}).value;
}
inline bool put(KeyValue& store, const Key& key, std::string text) {
  const auto written = store.write({}, std::vector<Change>{{key, std::move(text)}}, soon());
  if (!written) ADD_FAILURE() << written.error().detail;
  return written.value_or(false);
}

template <class T>
void expect_fault(const Outcome<T>& outcome, Fault fault, const std::string& words = "") {
  ASSERT_FALSE(outcome.has_value());
  EXPECT_EQ(outcome.error().error.row().name, row_of(fault).name) << outcome.error().detail;
  EXPECT_TRUE(outcome.error().detail.contains(words)) << outcome.error().detail;
}

/// Calls until it succeeds: for what a cluster or a connection comes back from by itself.
template <class Call>
auto at_last(const Call& call) {
  auto outcome = call();
  for (int tries = 0; tries < 100 && !outcome; ++tries) {
    io::pause_for(std::chrono::milliseconds{50});
    outcome = call();
  }
  if (!outcome) ADD_FAILURE() << outcome.error().detail;
  return outcome;
}

}  // namespace mintmark::store
