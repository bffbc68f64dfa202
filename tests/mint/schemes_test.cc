// Every scheme that can be minted, through a mint as a service or a command has it: made, distinct, read
// back.
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io/os_clock.h"
#include "io/os_entropy.h"
#include "mint/mint.h"
#include "mintmark/scheme/catalogue.h"
#include "mintmark/scheme/nanoid_form.h"
#include "store/store.h"
#include "temp_folder.h"
#include "tests/child_process.h"

namespace mintmark::mint {
namespace {

/// A mint over a store of its own, with one space of each scheme.
class AllSchemes : public testing::Test {
 protected:
  AllSchemes() {
    MintOptions options;
    for (const std::string_view scheme : mintable_schemes()) {
      // Its time field has ended: nothing can be minted in it.
      if (scheme == "baidu") continue;
      options.spaces.push_back({std::string{scheme}, *kind_of(scheme)});
    }
    options.open_store = [url = "sqlite:" + (folder_ / "store/mintmark.db")](BootInstant deadline) {
      return store::open(url, {io::os_clock()}, deadline);
    };
    auto opened = Mint::open(std::move(options), io::os_clock(), io::os_entropy());
    EXPECT_TRUE(opened.has_value()) << (opened ? "" : opened.error().detail);
    mint_ = std::move(*opened);
  }

  /// `count` new IDs.
  Batch make_batch(Space& space, std::size_t count) {
    Batch batch;
    batch.start(space, count);
    Result<void> made;
    for (int tries = 0; tries < 3'000; ++tries) {
      made = mint_->mint(batch, io::wall_now());
      if (made) break;
      std::this_thread::sleep_for(std::chrono::milliseconds{1});
    }
    EXPECT_TRUE(made.has_value()) << space.name() << ": " << made.error().row().name;
    return batch;
  }

  /// Their texts.
  std::vector<std::string> make(Space& space, std::size_t count) {
    const Batch batch = make_batch(space, count);
    std::vector<std::string> texts;
    std::vector<char> text(space.text_size());
    for (std::size_t i = 0; i < batch.made; ++i) {
      texts.emplace_back(text.data(), space.write(batch.id(i), text));
    }
    return texts;
  }

  TempFolder folder_;
  std::unique_ptr<Mint> mint_;
};

TEST_F(AllSchemes, GivesDistinctIdsThatTheCatalogueReads) {
  for (const auto& space : mint_->spaces()) {
    const auto texts = make(*space, 300);
    EXPECT_EQ(std::set<std::string>(texts.begin(), texts.end()).size(), 300U) << space->name();
    const CatalogueRow* row = find_scheme(space->config().scheme());
    if (row == nullptr) continue;  // block and token: no ID of a scheme
    for (const std::string& text : texts) {
      const auto id = row->parse(text);
      ASSERT_TRUE(id.has_value()) << space->name() << ' ' << text;
      EXPECT_EQ(id->text(), text);
      if (const auto time = id->time()) {
        // XID, KSUID and ObjectId count seconds; a snowflake may borrow from the coming ms.
        EXPECT_LT(std::chrono::abs(io::wall_now() - *time), std::chrono::minutes{1}) << text;
      }
    }
  }
}

TEST_F(AllSchemes, WritesManyAsItWritesEach) {
  for (const auto& space : mint_->spaces()) {
    const Batch batch = make_batch(*space, 100);
    const std::size_t room = space->text_size() + 1;
    std::string expected;
    std::vector<char> text(space->text_size());
    for (std::size_t i = 0; i < batch.made; ++i) {
      expected.append(text.data(), space->write(batch.id(i), text)) += '|';
    }
    std::string all(batch.made * room, '~');
    const std::span bytes = std::span{batch.bytes}.first(batch.made * space->width());
    all.resize(space->write_all(bytes, '|', all));
    EXPECT_EQ(all, expected) << space->name();
    EXPECT_EQ(space->write_all({}, '|', {}), 0U);
  }
}

TEST_F(AllSchemes, RisesWhereTheFactsSaySo) {
  for (const auto& space : mint_->spaces()) {
    const CatalogueRow* row = find_scheme(space->config().scheme());
    if (row == nullptr || row->scheme.order != TimeOrder::monotonic) continue;
    std::optional<CatalogueId> before;
    for (const std::string& text : make(*space, 300)) {
      const auto id = row->parse(text);
      ASSERT_TRUE(id.has_value());
      if (before) {
        EXPECT_TRUE(std::ranges::lexicographical_compare(before->bytes(), id->bytes())) << text;
      }
      before = *id;
    }
  }
}

/// The largest ID that somebody has got so far.
class Newest {
 public:
  using Id = std::vector<std::byte>;
  [[nodiscard]] Id read() const {
    const std::lock_guard lock{mutex_};
    return id_;
  }
  void raise(const Id& id) {
    const std::lock_guard lock{mutex_};
    id_ = std::max(id_, id);
  }

 private:
  mutable std::mutex mutex_;
  Id id_;
};

// uuid-rs/uuid#773: IDs of one millisecond came in no order. One that is asked for after another was given
// is above it, whichever threads they are.
TEST_F(AllSchemes, RisesOverAllThreads) {
  for (const auto& space : mint_->spaces()) {
    const CatalogueRow* row = find_scheme(space->config().scheme());
    if (row == nullptr || row->scheme.order != TimeOrder::monotonic) continue;
    make(*space, 1);
    const Instant now = io::wall_now();
    Newest newest;
    std::atomic<std::size_t> below = 0;
    {
      std::vector<std::jthread> threads;
      for (int thread = 0; thread < 4; ++thread) {
        threads.emplace_back([&] {
          Newest::Id id(space->width());
          for (int i = 0; i < 2'000; ++i) {
            const Newest::Id before = newest.read();
            // At one instant as far as its counter goes, then refused.
            if (!space->fill(id, now)) continue;
            if (id <= before) ++below;
            newest.raise(id);
          }
        });
      }
    }
    EXPECT_EQ(below, 0U) << space->name();
    EXPECT_FALSE(newest.read().empty()) << space->name();
  }
}

TEST_F(AllSchemes, DressesNumbersWithoutARun) {
  Space& scattered = *mint_->find("bitreversed");
  const auto texts = make(scattered, 4);
  EXPECT_EQ(texts[0], "4611686018427387904");  // 1, its last bit first below the sign
  EXPECT_EQ(texts[1], "2305843009213693952");
  EXPECT_FALSE(scattered.contiguous());
  EXPECT_EQ(mint_->take(scattered, 10, io::wall_now()).error().fault(), Fault::wrong_type);
  EXPECT_TRUE(mint_->find("block")->contiguous());
}

TEST_F(AllSchemes, RefusesInAForkedChild) {
  for (const auto& space : mint_->spaces()) make(*space, 1);
  const ::pid_t child = ::fork();
  if (child == 0) {
    int repeated = 0;
    for (const auto& space : mint_->spaces()) {
      std::vector<std::byte> room(space->width());
      const auto made = space->fill(room, io::wall_now());
      if (made || made.error().fault() != Fault::forked) ++repeated;
    }
    ::_exit(repeated);
  }
  int state = 0;
  ASSERT_EQ(::waitpid(child, &state, 0), child);
  EXPECT_TRUE(WIFEXITED(state));
  EXPECT_EQ(WEXITSTATUS(state), 0) << "spaces that would repeat their parent";
}

/// Row 20 of docs/internals/field_reports.md, for one scheme: its parameter.
class ForkedChildren : public testing::TestWithParam<std::string_view> {
 protected:
  static constexpr std::size_t kChildren = 8;
  static constexpr std::size_t kEach = 100'000;

  [[nodiscard]] std::unique_ptr<Mint> open() const {
    MintOptions options;
    options.spaces.push_back({std::string{GetParam()}, *kind_of(GetParam())});
    options.open_store = [url = "sqlite:" + (folder_ / "store/mintmark.db")](BootInstant deadline) {
      return store::open(url, {io::os_clock()}, deadline);
    };
    auto opened = Mint::open(std::move(options), io::os_clock(), io::os_entropy());
    return opened ? std::move(*opened) : nullptr;
  }

  /// IDs of a mint of its own, as bytes; fewer if it makes none any more.
  [[nodiscard]] std::string make(std::size_t count) const {
    const auto mint = open();
    if (mint == nullptr) return {};
    Space& space = *mint->spaces().front();
    std::string ids(count * space.width(), '\0');
    auto rest = std::as_writable_bytes(std::span{ids});
    for (int tries = 0; !rest.empty() && tries < 60'000; ++tries) {
      const auto made = space.fill(rest, io::wall_now());
      if (made) {
        rest = rest.subspan(*made * space.width());
      } else {
        std::this_thread::sleep_for(std::chrono::milliseconds{1});
      }
    }
    ids.resize(ids.size() - rest.size());
    return ids;
  }

  [[nodiscard]] std::size_t width() const { return open()->spaces().front()->width(); }

 private:
  TempFolder folder_;
};

// util-linux/util-linux#3009, python/cpython#105337, bleargh45/Data-UUID#27, aminalaee/uuid-utils#42: a child
// had its parent's random bytes and counters.
TEST_P(ForkedChildren, EightOfThemAndTheParentRepeatNothing) {
  // The parent's pool is partly used, and its mint closed: what is left in memory is what a child gets.
  std::string all = make(1'000);
  for (int i = 0; i < 1'000; ++i) ASSERT_TRUE(io::os_entropy().word().has_value());
  std::vector<std::unique_ptr<ChildProcess>> children;
  for (std::size_t i = 0; i < kChildren; ++i) {
    children.push_back(std::make_unique<ChildProcess>([this](int pipe) {
      say(pipe, make(kEach));
      return 0;
    }));
  }
  all += make(kEach);
  for (const auto& child : children) {
    all += child->words();
    EXPECT_EQ(child->status(), 0);
  }
  const std::size_t size = width();
  ASSERT_EQ(all.size(), (1'000 + (kChildren + 1) * kEach) * size);
  std::vector<std::string_view> ids;
  for (std::size_t at = 0; at < all.size(); at += size) {
    ids.push_back(std::string_view{all}.substr(at, size));
  }
  std::ranges::sort(ids);
  EXPECT_TRUE(std::ranges::adjacent_find(ids) == ids.end()) << "an ID was made twice";
}

/// Those of which nine processes can each have one: an end in the future, and slots enough.
std::vector<std::string_view> schemes_for_nine() {
  std::vector<std::string_view> names;
  for (const std::string_view scheme : mintable_schemes()) {
    const auto kind = *kind_of(scheme);
    const auto* snowflake = std::get_if<SnowflakeConfig>(&kind);
    if (scheme == "baidu" || (snowflake != nullptr && snowflake->layout.slot_count() < 9)) continue;
    names.push_back(scheme);
  }
  return names;
}

INSTANTIATE_TEST_SUITE_P(Schemes, ForkedChildren, testing::ValuesIn(schemes_for_nine()),
                         [](const auto& test) { return std::string{test.param}; });

std::string only_text(SpaceConfig config) {
  auto mint = Mint::open({.spaces = {std::move(config)}, .open_store = {}, .observer = {}},
                         io::os_clock(), io::os_entropy());
  Space& space = *(*mint)->spaces().front();
  std::vector<std::byte> id(space.width());
  EXPECT_TRUE(space.fill(id, io::wall_now()).has_value());
  std::vector<char> text(space.text_size());
  return {text.data(), space.write(id, text)};
}

TEST(SchemeOptions, AreHeeded) {
  EXPECT_EQ(only_text({"n", NanoidConfig{.alphabet = "ab", .size = 40}}).find_first_not_of("ab"),
            std::string::npos);
  EXPECT_EQ(only_text({"n", NanoidConfig{.alphabet = "ab", .size = 40}}).size(), 40U);
  EXPECT_EQ(only_text({"c", Cuid2Config{.size = 10}}).size(), 10U);
  EXPECT_TRUE(only_text({"t", TypeIdConfig{*TypePrefix::parse("user")}}).starts_with("user_"));
  EXPECT_EQ(only_text({"k", TokenConfig{}}).size(), 27U);
  EXPECT_EQ(only_text({"k", TokenConfig{.bits = 512, .dress = TokenDress::base32}}).size(), 103U);
}

}  // namespace
}  // namespace mintmark::mint
