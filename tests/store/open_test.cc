// Opening a store by its URL.

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "store/store.h"
#include "tests/fake_clock.h"
#include "tests/temp_folder.h"

namespace mintmark::store {
namespace {

class OpenStore : public ::testing::Test {
 protected:
  Outcome<std::unique_ptr<Store>> by(const std::string& url) {
    return open(url, Environment{clock_}, clock_.boot() + std::chrono::seconds{60});
  }
  std::string engine_of(const std::string& url) {
    auto opened = by(url);
    if (!opened) return opened.error().detail;
    return (*opened)->identity(clock_.boot() + std::chrono::seconds{60})->engine;
  }

  FakeClock clock_;
};

TEST_F(OpenStore, KnowsTheFormsOfAUrl) {
  const TempFolder folder;
  EXPECT_EQ(engine_of("memory:"), "memory");
  EXPECT_EQ(engine_of("memory:name"), "memory");
  EXPECT_EQ(engine_of("sqlite:" + (folder / "a.db")), "sqlite");
  EXPECT_EQ(engine_of("sqlite://" + (folder / "b.db")), "sqlite");
  EXPECT_TRUE(std::filesystem::exists(folder / "a.db"));
  EXPECT_TRUE(std::filesystem::exists(folder / "b.db"));
}

TEST_F(OpenStore, TakesAPathFromTheFolderOfTheProcess) {
  const TempFolder folder;
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  EXPECT_EQ(engine_of("sqlite:bare.db"), "sqlite");
  EXPECT_EQ(engine_of("sqlite:a/b.db"), "sqlite");
  std::filesystem::current_path(before);
  EXPECT_TRUE(std::filesystem::exists(folder / "bare.db"));
  EXPECT_TRUE(std::filesystem::exists(folder / "a/b.db"));
}

TEST_F(OpenStore, RefusesTheNamesThatSqliteReadsInItsOwnWay) {
  for (const std::string rest : {":memory:", "file:a.db", "file:a.db?nolock=1"}) {
    const auto opened = by("sqlite:" + rest);
    ASSERT_FALSE(opened.has_value()) << rest;
    EXPECT_EQ(opened.error().error.fault(), Fault::invalid_argument);
    EXPECT_TRUE(opened.error().detail.contains("not a path")) << opened.error().detail;
    EXPECT_FALSE(check_url("sqlite:" + rest).has_value());
    EXPECT_FALSE(std::filesystem::exists(rest));
  }
}

TEST_F(OpenStore, ChecksAUrlWithoutOpeningIt) {
  const TempFolder folder;
  const auto path = folder / "a.db";
  EXPECT_TRUE(check_url("sqlite:" + path).has_value());
  EXPECT_TRUE(check_url("sqlite://" + path).has_value());
  EXPECT_FALSE(std::filesystem::exists(path));
  for (const std::string url :
       {"memory:name", "memory:", "oracle:x", "none", "", "sqlite:", "sqlite://host/a.db"}) {
    const auto checked = check_url(url);
    ASSERT_FALSE(checked.has_value()) << url;
    EXPECT_EQ(checked.error().error.fault(), Fault::invalid_argument);
    EXPECT_TRUE(checked.error().detail.contains("sqlite:")) << checked.error().detail;
  }
}

TEST_F(OpenStore, NamesTheEnginesWhenItKnowsNoneOfThatName) {
  for (const std::string url : {"oracle:secret@host", "store.db", "", ":x", "SQLITE:x"}) {
    const auto opened = by(url);
    ASSERT_FALSE(opened.has_value()) << url;
    EXPECT_EQ(opened.error().error.fault(), Fault::invalid_argument);
    EXPECT_TRUE(opened.error().detail.contains("sqlite:PATH")) << opened.error().detail;
    EXPECT_FALSE(opened.error().detail.contains("memory")) << opened.error().detail;
    EXPECT_FALSE(opened.error().detail.contains("secret")) << opened.error().detail;
  }
}

TEST_F(OpenStore, RefusesAFileWithAHost) {
  const auto opened = by("sqlite://host/store.db");
  ASSERT_FALSE(opened.has_value());
  EXPECT_EQ(opened.error().error.fault(), Fault::invalid_argument);
  EXPECT_TRUE(opened.error().detail.contains("no host")) << opened.error().detail;
  EXPECT_EQ(by("sqlite:").error().error.fault(), Fault::invalid_argument);
}

}  // namespace
}  // namespace mintmark::store
