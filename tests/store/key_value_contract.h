// What every engine of keys and values promises, as tests that each of them inherits.
//
// An engine's test file says how to open its store and how to hold its server, and instantiates
// KeyValueContract with that:
//
//   struct Engine {                      // one store of its own for each object, empty at first
//     Outcome<std::unique_ptr<KeyValue>> open(BootInstant deadline);
//     void pause();                      // the server stands still, its connections stay open (SIGSTOP)
//     void resume();
//   };
//
// The objects may share one server: then each has a prefix, a root or a database that no other one has.
#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "io/os_clock.h"
#include "store/key_value.h"

namespace mintmark::store {

/// Fresh handles on one store, and its calls for tests that expect them to succeed.
template <class Engine>
class KeyValueContract : public ::testing::Test {
 protected:
  using Opened = std::unique_ptr<KeyValue>;

  static BootInstant within(Duration length) { return io::os_clock().boot() + length; }
  static BootInstant soon() { return within(std::chrono::seconds{60}); }
  static BootInstant shortly() { return within(std::chrono::milliseconds{300}); }

  Opened open() {
    auto opened = engine_.open(soon());
    if (!opened) {
      ADD_FAILURE() << opened.error().detail;
      return nullptr;
    }
    return std::move(*opened);
  }

  static std::optional<Kept> get(KeyValue& store, const Key& key) {
    const auto reading = store.read(std::vector{key}, soon());
    if (!reading || reading->kept.size() != 1) {
      ADD_FAILURE() << (reading ? "not one value" : reading.error().detail);
      return std::nullopt;
    }
    return reading->kept.front();
  }
  static std::optional<std::string> value(KeyValue& store, const Key& key) {
    const auto kept = get(store, key);
    return kept ? std::optional{kept->value} : std::nullopt;
  }
  static std::map<std::string, std::string> list(KeyValue& store, std::string_view folder) {
    auto listed = store.list(folder, soon());
    if (!listed) {
      ADD_FAILURE() << listed.error().detail;
      return {};
    }
    std::map<std::string, std::string> all{listed->begin(), listed->end()};
    EXPECT_EQ(all.size(), listed->size()) << "a name came twice";
    return all;
  }

  static bool write(KeyValue& store, const std::vector<Condition>& conditions,
                    const std::vector<Change>& changes) {
    const auto written = store.write(conditions, changes, soon());
    if (!written) ADD_FAILURE() << written.error().detail;
    return written.value_or(false);
  }
  /// Whatever was there.
  static void put(KeyValue& store, const Key& key, std::string value) {
    EXPECT_TRUE(write(store, {}, {{key, std::move(value)}}));
  }
  /// If nothing was there.
  static bool create(KeyValue& store, const Key& key, std::string value) {
    return write(store, {{key, std::nullopt}}, {{key, std::move(value)}});
  }

  template <class T>
  static void expect_fault(const Outcome<T>& outcome, Fault fault) {
    ASSERT_FALSE(outcome.has_value());
    EXPECT_EQ(outcome.error().error.row().name, row_of(fault).name) << outcome.error().detail;
    EXPECT_FALSE(outcome.error().detail.empty());
  }
  /// Room for a machine that has other things to do; what is late without end fails all the same.
  static void expect_in_time(BootInstant deadline) {
    EXPECT_LT(io::os_clock().boot(), deadline + std::chrono::seconds{5});
  }
  /// Servers of tests run on this machine.
  static void expect_now(const std::optional<Instant>& now) {
    if (!now) return;
    const Duration apart = io::os_clock().wall() - *now;
    EXPECT_LT(std::chrono::abs(apart), std::chrono::seconds{30}) << TimeText{*now}.view();
  }

  /// Runs `body(thread, handle)` in threads that each have a handle of their own.
  template <class Body>
  void at_once(std::size_t threads, Body body) {
    std::vector<Opened> handles;
    for (std::size_t i = 0; i < threads; ++i) handles.push_back(open());
    std::vector<std::jthread> running;
    for (std::size_t i = 0; i < threads; ++i) {
      running.emplace_back([&, i] { body(i, *handles[i]); });
    }
  }

  const Key key_{"folder", "name"};
  Engine engine_;
};

TYPED_TEST_SUITE_P(KeyValueContract);

}  // namespace mintmark::store

#include "tests/store/key_value_contract_calls.h"
#include "tests/store/key_value_contract_values.h"

namespace mintmark::store {

REGISTER_TYPED_TEST_SUITE_P(KeyValueContract,
                            // key_value_contract_values.h
                            FindsNothingThatWasNotWritten, CreatesAKeyOnce, ComparesTheValue,
                            RefusesAnOldVersion, TellsARemadeKeyFromTheOldOne,
                            WritesWithoutCondition, ChecksKeysThatItDoesNotChange,
                            ChangesAllOrNothing, RemovesAKey, ReadsInTheOrderOfTheKeys,
                            ListsOneFolderOnly, HoldsAnyBytes, HoldsLongNamesAndDeepFolders,
                            MakesTheMostChangesAtOnce, LosesNoUpdate,
                            // key_value_contract_calls.h
                            TellsWhoItIs, SendsNothingAfterTheDeadline, EndsAReadByItsDeadline,
                            EndsAWriteByItsDeadline, ServesNoForkedChild);

}  // namespace mintmark::store
