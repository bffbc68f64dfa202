#include "io/shared_library.h"

#include <gtest/gtest.h>

namespace mintmark::io {
namespace {

TEST(SharedLibrary, NamesThePackageOfAMissingOne) {
  const SharedLibrary library{"libmintmark-is-not-here.so.7", "libnothere7"};
  ASSERT_TRUE(library.missing());
  EXPECT_TRUE(library.missing()->starts_with(
      "this needs libmintmark-is-not-here.so.7, of the Debian package libnothere7: "))
      << *library.missing();
}

TEST(SharedLibrary, NamesTheFunctionThatAnotherVersionLacks) {
  SharedLibrary library{"libc.so.6", "libc6"};
  int (*found)(int) = nullptr;
  library.find("abs", found);
  EXPECT_FALSE(library.missing());
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found(-3), 3);
  library.find("mintmark_no_such_function", found);
  ASSERT_TRUE(library.missing());
  EXPECT_TRUE(library.missing()->contains("mintmark_no_such_function"));
}

TEST(SharedLibrary, FindsDataToo) {
  SharedLibrary library{"libc.so.6", "libc6"};
  char*** environment = nullptr;
  library.find("environ", environment);
  EXPECT_FALSE(library.missing());
  EXPECT_NE(environment, nullptr);
}

}  // namespace
}  // namespace mintmark::io
