#include "shared/time_text.h"

#include <array>
#include <ctime>

namespace rv {
namespace {

std::string text_of(const std::tm& parts, const char* format) {
  std::array<char, 64> text{};
  return {text.data(), std::strftime(text.data(), text.size(), format, &parts)};
}

std::string utc_text(std::chrono::sys_seconds time, const char* format) {
  const std::time_t seconds = time.time_since_epoch().count();
  std::tm parts{};
  ::gmtime_r(&seconds, &parts);
  return text_of(parts, format);
}

}  // namespace

std::string utc_time(std::chrono::sys_seconds time) {
  return utc_text(time, "%Y-%m-%d %H:%M:%S UTC");
}

std::string utc_date(std::chrono::sys_seconds time) {
  return utc_text(time, "%Y-%m-%d");
}

std::string utc_stamp(std::chrono::sys_seconds time) {
  return utc_text(time, "%Y%m%d-%H%M%S");
}

std::string local_time(std::chrono::sys_seconds time, char between) {
  const std::time_t seconds = time.time_since_epoch().count();
  std::tm parts{};
  ::localtime_r(&seconds, &parts);
  return text_of(parts, "%Y-%m-%d") + between + text_of(parts, "%H:%M:%S");
}

std::chrono::sys_seconds current_time() {
  return std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
}

}  // namespace rv
