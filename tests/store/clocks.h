// Whose clock an engine believes: what its test tells the contract.
#pragma once

#include <cstdint>

namespace mintmark::store {

enum class Clocks : std::uint8_t {
  of_this_host,   ///< by way of a time line
  of_the_engine,  ///< one of its own
};

}  // namespace mintmark::store
