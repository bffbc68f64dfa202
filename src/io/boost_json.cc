// Boost.JSON, compiled once: its package is used header-only, so that nothing shared is linked.
#include <boost/json/src.hpp>
