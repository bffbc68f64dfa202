// Every scheme that can be minted, through a mint as a service or a command has it: made, distinct, read
// back.
#include <algorithm>
#include <set>
#include <string>
#include <thread>

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

  /// Texts of `count` new IDs.
  std::vector<std::string> make(Space& space, std::size_t count) {
    Batch batch;
    batch.start(space, count);
    Result<void> made;
    for (int tries = 0; tries < 3'000; ++tries) {
      made = mint_->mint(batch, io::wall_now());
      if (made) break;
      std::this_thread::sleep_for(std::chrono::milliseconds{1});
    }
    EXPECT_TRUE(made.has_value()) << space.name() << ": " << made.error().row().name;
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
