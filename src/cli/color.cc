#include "cli/color.h"

#include <array>
#include <cstdlib>

#include <fmt/format.h>

#include "cli/words.h"
#include "io/blocks.h"

namespace mintmark::cli {
namespace {

bool is_set(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

bool is_dumb() {
  const char* value = std::getenv("TERM");
  return value == nullptr || std::string_view{value} == "dumb";
}

// Foreground colors that are read on a dark and on a light ground: cyan, yellow, green, magenta, blue, red.
constexpr std::array kCodes{36, 33, 32, 35, 34, 31};

}  // namespace

OrExit<Color> color_for(const Arguments& arguments, int descriptor) {
  const std::string when = arguments.value("color").value_or("auto");
  if (when == "always") return Color::on;
  if (when == "never") return Color::off;
  if (when != "auto") {
    return std::unexpected(
        usage_error(fmt::format("--color: {} is not auto, always or never", shown(when))));
  }
  if (is_set("NO_COLOR")) return Color::off;
  if (is_set("CLICOLOR_FORCE") && std::string_view{std::getenv("CLICOLOR_FORCE")} != "0")
    return Color::on;
  return io::is_terminal(descriptor) && !is_dumb() ? Color::on : Color::off;
}

std::string in_color(Color color, std::size_t which, std::string_view text) {
  if (color == Color::off) return std::string{text};
  return fmt::format("\x1b[{}m{}\x1b[0m", kCodes[which % kCodes.size()], text);
}

}  // namespace mintmark::cli
