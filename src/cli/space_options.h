// The options of a command that shape the space it makes IDs of.
#pragma once

#include "cli/command.h"
#include "cli/settings.h"
#include "mint/space_config.h"

namespace mintmark::cli {

inline constexpr Option kLayoutOption{"layout", "l", "L",
                                      "snowflake: a named one (twitter, discord, ...) or widths"};
inline constexpr Option kWorkerOption{
    "worker", "w", "N", "snowflake: this worker number or none; default any free one"};
inline constexpr Option kDatacenterOption{
    "datacenter", "", "D", "twitter: this datacenter; --worker is then one of its 32"};
inline constexpr Option kShardOption{"shard", "", "N", "instagram: this shard"};
inline constexpr Option kMachineOption{"machine", "", "N", "sonyflake: this machine"};
inline constexpr Option kNodeOption{"node", "", "N", "tsid, rowid: this node"};
inline constexpr Option kPrefixOption{"prefix", "", "P", "typeid: what its IDs begin with"};
inline constexpr Option kAlphabetOption{"alphabet", "", "CHARS", "nanoid: its characters"};
inline constexpr Option kBitsOption{"bits", "", "N", "token: how many, 128 to 512; default 160"};
inline constexpr Option kTextFormOption{"form", "", "F", "token: base62, base64url or base32"};
inline constexpr Option kSizeOption{"size", "", "N", "nanoid, cuid2: how many characters"};

/// The space of that name as the configuration defines it, or that every configuration has: one for each
/// scheme that can be minted. A layout's name is short for `snowflake` with it: one namespace, whichever way
/// it was named.
[[nodiscard]] OrExit<mint::SpaceConfig> space_named(const std::string& name,
                                                    const mint::Config& config);

/// Applies all the options above that were given. An option of another scheme is a mistake.
[[nodiscard]] OrExit<void> apply_options(mint::SpaceConfig& space, const Arguments& arguments);

}  // namespace mintmark::cli
