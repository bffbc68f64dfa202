// A program that makes IDs with one call each: client STORE, the path of a file that may be missing.
#include <chrono>
#include <cstdio>
#include <string>

#include "mintmark/os.h"

int main(int count, char** words) {
  if (count != 2) return 2;
  const auto first = mintmark::uuid7();
  const auto second = mintmark::uuid7();
  if (!first || !second || !(*first < *second)) return 3;

  auto mint = mintmark::Mint::open("sqlite:" + std::string{words[1]});
  if (!mint) {
    std::fprintf(stderr, "%s\n", mint.error().detail.c_str());
    return 4;
  }
  if (!mint->wait_until_ready(std::chrono::minutes{1})) return 5;
  const auto id = mint->next();
  return id && *id != 0 ? 0 : 6;
}
