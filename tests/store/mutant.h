// Mutants: engines that are wrong on purpose, to show that the contract notices.
//
// A mutant is instantiated like an engine, and marks itself with `kMutant`. Its tests are skipped unless the
// environment says otherwise; failures_of runs them in a process of their own, where they may fail.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

#include "tests/fleet/process.h"
#include "tests/temp_folder.h"

namespace mintmark::store {

inline constexpr const char* kRunMutants = "MINTMARK_RUN_MUTANTS";

template <class Engine>
constexpr bool is_mutant() {
  if constexpr (requires { Engine::kMutant; }) return Engine::kMutant;
  return false;
}
template <class Engine>
bool is_skipped() {
  return is_mutant<Engine>() && std::getenv(kRunMutants) == nullptr;
}

/// What this program says about the tests that `filter` names: the lines of those that failed.
inline std::string failures_of(const std::string& filter) {
  const TempFolder folder;
  const auto self = std::filesystem::read_symlink("/proc/self/exe").string();
  const int code = fleet::run({"env", std::string{kRunMutants} + "=1", self, "--gtest_brief=1",
                               "--gtest_color=no", "--gtest_filter=" + filter},
                              folder / "out", folder / "out");
  return code == 0 ? "" : fleet::contents(folder / "out");
}

}  // namespace mintmark::store
