// The part of the contract about what is kept, and when it changes. Include key_value_contract.h.
#pragma once

#include "tests/store/key_value_contract.h"

namespace mintmark::store {

TYPED_TEST_P(KeyValueContract, FindsNothingThatWasNotWritten) {
  auto store = this->open();
  const auto reading = store->read(std::vector{this->key_, Key{"folder", "other"}}, this->soon());
  ASSERT_TRUE(reading.has_value()) << reading.error().detail;
  ASSERT_EQ(reading->kept.size(), 2U);
  EXPECT_FALSE(reading->kept[0].has_value());
  EXPECT_FALSE(reading->kept[1].has_value());
  this->expect_now(reading->now);
  EXPECT_TRUE(this->list(*store, "folder").empty());
}

TYPED_TEST_P(KeyValueContract, CreatesAKeyOnce) {
  auto store = this->open();
  EXPECT_TRUE(this->create(*store, this->key_, "first"));
  EXPECT_FALSE(this->create(*store, this->key_, "second"));
  EXPECT_FALSE(this->create(*this->open(), this->key_, "third"));
  EXPECT_EQ(this->value(*this->open(), this->key_), "first");
}

TYPED_TEST_P(KeyValueContract, ComparesTheValue) {
  auto store = this->open();
  this->put(*store, this->key_, "old");
  auto kept = this->get(*store, this->key_);
  ASSERT_TRUE(kept.has_value());
  const auto write_if = [&](const Kept& wanted, std::string value) {
    return this->write(*store, {{this->key_, wanted}}, {{this->key_, std::move(value)}});
  };
  EXPECT_FALSE(write_if({"other", kept->version}, "new"));
  EXPECT_FALSE(write_if({"ol", kept->version}, "new"));
  EXPECT_FALSE(write_if({"", kept->version}, "new"));
  EXPECT_EQ(this->value(*store, this->key_), "old");
  EXPECT_TRUE(write_if(*kept, "new"));
  EXPECT_FALSE(write_if(*kept, "newer"));
  EXPECT_EQ(this->value(*store, this->key_), "new");
  // A key that is not there has no value, not even an empty one.
  EXPECT_FALSE(this->write(*store, {{Key{"folder", "nowhere"}, Kept{"", kept->version}}},
                           {{this->key_, "newer"}}));
  EXPECT_EQ(this->value(*store, this->key_), "new");
}

TYPED_TEST_P(KeyValueContract, RefusesAnOldVersion) {
  auto store = this->open();
  this->put(*store, this->key_, "a");
  const auto first = this->get(*store, this->key_);
  this->put(*store, this->key_, "b");
  this->put(*store, this->key_, "a");
  ASSERT_TRUE(first.has_value());
  // Where nobody counts, the value is all there is.
  EXPECT_EQ(this->write(*store, {{this->key_, first}}, {{this->key_, "c"}}), first->version == 0);
  EXPECT_EQ(this->value(*store, this->key_), first->version == 0 ? "c" : "a");
}

TYPED_TEST_P(KeyValueContract, TellsARemadeKeyFromTheOldOne) {
  auto store = this->open();
  this->put(*store, this->key_, "a");
  const auto first = this->get(*store, this->key_);
  ASSERT_TRUE(first.has_value());
  EXPECT_TRUE(this->write(*store, {}, {{this->key_, std::nullopt}}));
  this->put(*store, this->key_, "b");
  EXPECT_FALSE(this->write(*store, {{this->key_, first}}, {{this->key_, "c"}}));
  EXPECT_EQ(this->value(*store, this->key_), "b");
}

TYPED_TEST_P(KeyValueContract, WritesWithoutCondition) {
  auto store = this->open();
  this->put(*store, this->key_, "a");
  this->put(*store, this->key_, "b");
  EXPECT_EQ(this->value(*store, this->key_), "b");
  EXPECT_TRUE(this->write(*store, {}, {{Key{"folder", "nowhere"}, std::nullopt}}));
  EXPECT_EQ(this->list(*store, "folder").size(), 1U);
}

TYPED_TEST_P(KeyValueContract, ChecksKeysThatItDoesNotChange) {
  auto store = this->open();
  const Key meta{"meta", "space"};
  const Key nowhere{"elsewhere", "nowhere"};
  this->put(*store, meta, "epoch 1");
  const auto kept = this->get(*store, meta);
  EXPECT_TRUE(
      this->write(*store, {{meta, kept}, {nowhere, std::nullopt}}, {{this->key_, "first"}}));
  EXPECT_EQ(this->value(*store, meta), "epoch 1");
  EXPECT_EQ(this->get(*store, meta)->version, kept->version);
  EXPECT_FALSE(this->value(*store, nowhere).has_value());
  EXPECT_TRUE(this->list(*store, "elsewhere").empty());
  EXPECT_FALSE(this->write(*store, {{meta, std::nullopt}}, {{this->key_, "second"}}));
  this->put(*store, meta, "epoch 2");
  EXPECT_FALSE(this->write(*store, {{meta, kept}}, {{this->key_, "second"}}));
  EXPECT_EQ(this->value(*store, this->key_), "first");
  // Nor does it have to change anything.
  EXPECT_TRUE(this->write(*store, {{meta, this->get(*store, meta)}}, {}));
  EXPECT_FALSE(this->write(*store, {{meta, kept}}, {}));
}

TYPED_TEST_P(KeyValueContract, ChangesAllOrNothing) {
  auto store = this->open();
  const Key a{"one", "a"};
  const Key b{"two", "b"};
  const Key c{"three", "c"};
  this->put(*store, a, "1");
  this->put(*store, b, "1");
  const auto kept = this->get(*store, a);
  const std::vector<Change> changes{{a, "2"}, {b, std::nullopt}, {c, "2"}};
  EXPECT_FALSE(this->write(*store, {{a, kept}, {b, Kept{"2", 0}}}, changes));
  EXPECT_FALSE(this->write(*store, {{a, kept}, {b, std::nullopt}}, changes));
  EXPECT_EQ(this->value(*store, a), "1");
  EXPECT_EQ(this->value(*store, b), "1");
  EXPECT_FALSE(this->value(*store, c).has_value());
  EXPECT_TRUE(this->write(*store, {{a, kept}, {c, std::nullopt}}, changes));
  EXPECT_EQ(this->value(*store, a), "2");
  EXPECT_FALSE(this->value(*store, b).has_value());
  EXPECT_EQ(this->value(*store, c), "2");
}

TYPED_TEST_P(KeyValueContract, RemovesAKey) {
  auto store = this->open();
  this->put(*store, this->key_, "a");
  const auto kept = this->get(*store, this->key_);
  ASSERT_TRUE(kept.has_value());
  EXPECT_FALSE(
      this->write(*store, {{this->key_, Kept{"b", kept->version}}}, {{this->key_, std::nullopt}}));
  EXPECT_TRUE(this->write(*store, {{this->key_, kept}}, {{this->key_, std::nullopt}}));
  EXPECT_FALSE(this->value(*store, this->key_).has_value());
  EXPECT_FALSE(this->write(*store, {{this->key_, kept}}, {{this->key_, std::nullopt}}));
  EXPECT_TRUE(this->list(*store, "folder").empty());
  EXPECT_TRUE(this->create(*store, this->key_, "again"));
}

TYPED_TEST_P(KeyValueContract, ReadsInTheOrderOfTheKeys) {
  auto store = this->open();
  const Key a{"one", "a"};
  const Key b{"two", "b"};
  this->put(*store, a, "A");
  this->put(*store, b, "B");
  const auto reading = store->read(std::vector{b, this->key_, a, b}, this->soon());
  ASSERT_TRUE(reading.has_value()) << reading.error().detail;
  ASSERT_EQ(reading->kept.size(), 4U);
  EXPECT_EQ(reading->kept[0].value_or(Kept{}).value, "B");
  EXPECT_FALSE(reading->kept[1].has_value());
  EXPECT_EQ(reading->kept[2].value_or(Kept{}).value, "A");
  EXPECT_EQ(reading->kept[3].value_or(Kept{}).value, "B");
  const auto none = store->read({}, this->soon());
  ASSERT_TRUE(none.has_value()) << none.error().detail;
  EXPECT_TRUE(none->kept.empty());
}

TYPED_TEST_P(KeyValueContract, ListsOneFolderOnly) {
  auto store = this->open();
  this->put(*store, {"a", "x"}, "1");
  this->put(*store, {"a", "y"}, "");
  this->put(*store, {"a/b", "z"}, "3");
  this->put(*store, {"a/b/c", "x"}, "4");
  this->put(*store, {"ab", "x"}, "5");
  this->put(*store, {"a-", "x"}, "6");
  using Listed = std::map<std::string, std::string>;
  EXPECT_EQ(this->list(*store, "a"), (Listed{{"x", "1"}, {"y", ""}}));
  EXPECT_EQ(this->list(*store, "a/b"), (Listed{{"z", "3"}}));
  EXPECT_EQ(this->list(*store, "ab"), (Listed{{"x", "5"}}));
  EXPECT_TRUE(this->list(*store, "a/b/c/d").empty());
  EXPECT_TRUE(this->list(*store, "b").empty());
  // A folder and a key of one spelling are two things.
  EXPECT_FALSE(this->value(*store, {"a", "b"}).has_value());
  EXPECT_TRUE(this->create(*store, {"a", "b"}, "7"));
  EXPECT_EQ(this->list(*store, "a"), (Listed{{"b", "7"}, {"x", "1"}, {"y", ""}}));
  EXPECT_EQ(this->list(*store, "a/b"), (Listed{{"z", "3"}}));
}

TYPED_TEST_P(KeyValueContract, HoldsAnyBytes) {
  auto store = this->open();
  std::string every;
  for (int byte = 0; byte < 256; ++byte) every.push_back(static_cast<char>(byte));
  std::string large;
  while (large.size() < 70'000) large += every;
  large.resize(70'000);
  for (const std::string& value : {every, std::string{}, std::string{"\0", 1}, large}) {
    const auto before = this->get(*store, this->key_);
    EXPECT_TRUE(this->write(*store, {{this->key_, before}}, {{this->key_, value}}));
    EXPECT_EQ(this->value(*store, this->key_), value);
    EXPECT_EQ(this->list(*store, "folder")["name"], value);
  }
  // Bytes behind a NUL count too.
  this->put(*store, this->key_, std::string{"a\0b", 3});
  auto kept = this->get(*store, this->key_);
  ASSERT_TRUE(kept.has_value());
  kept->value.back() = 'c';
  EXPECT_FALSE(this->write(*store, {{this->key_, kept}}, {{this->key_, "d"}}));
}

TYPED_TEST_P(KeyValueContract, HoldsLongNamesAndDeepFolders) {
  auto store = this->open();
  std::string name;
  while (name.size() < 3'100) name += "aZ%_-09";
  name.resize(3'100);
  const std::string folder = "items/with_3-levels/of%20them";
  const std::string longer = name + "9";
  EXPECT_TRUE(this->create(*store, {folder, name}, "a"));
  EXPECT_TRUE(this->create(*store, {folder, longer}, "b"));
  EXPECT_FALSE(this->create(*store, {folder, name}, "c"));
  EXPECT_EQ(this->value(*store, {folder, name}), "a");
  EXPECT_EQ(this->list(*store, folder),
            (std::map<std::string, std::string>{{name, "a"}, {longer, "b"}}));
}

TYPED_TEST_P(KeyValueContract, MakesTheMostChangesAtOnce) {
  auto store = this->open();
  const std::size_t most = store->most_changes();
  ASSERT_GE(most, 64U);
  std::vector<Condition> conditions;
  std::vector<Change> changes;
  for (std::size_t i = 0; i < most; ++i) {
    const Key key{"many", "mark-" + std::to_string(i)};
    conditions.push_back({key, std::nullopt});
    changes.push_back({key, std::to_string(i)});
  }
  EXPECT_TRUE(this->write(*store, conditions, changes));
  EXPECT_EQ(this->list(*store, "many").size(), most);
  EXPECT_FALSE(this->write(*store, conditions, changes));
  std::vector<Key> keys;
  for (const Condition& condition : conditions) keys.push_back(condition.key);
  const auto reading = store->read(keys, this->soon());
  ASSERT_TRUE(reading.has_value()) << reading.error().detail;
  for (std::size_t i = 0; i < most; ++i) {
    conditions[i].kept = reading->kept[i];
    changes[i].value.reset();
  }
  EXPECT_TRUE(this->write(*store, conditions, changes));
  EXPECT_TRUE(this->list(*store, "many").empty());
}

TYPED_TEST_P(KeyValueContract, LosesNoUpdate) {
  constexpr std::size_t kThreads = 8;
  constexpr int kEach = 10;
  this->put(*this->open(), this->key_, "0");
  this->at_once(kThreads, [&](std::size_t, KeyValue& store) {
    for (int done = 0; done < kEach;) {
      const auto kept = this->get(store, this->key_);
      ASSERT_TRUE(kept.has_value());
      const std::string next = std::to_string(std::stoi(kept->value) + 1);
      if (this->write(store, {{this->key_, kept}}, {{this->key_, next}})) ++done;
    }
  });
  EXPECT_EQ(this->value(*this->open(), this->key_), std::to_string(kThreads * kEach));
}

}  // namespace mintmark::store
