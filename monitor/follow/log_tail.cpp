#include "monitor/follow/log_tail.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <string_view>

#include "monitor/follow/fresh_size.h"
#include "shared/system/descriptor.h"

namespace rv::monitor {

std::optional<LogTail> read_tail(const std::string& folder, const std::string& file, std::size_t bytes) {
  const os::Descriptor log(::open((folder + "/" + file).c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (log.number() < 0) return std::nullopt;
  struct stat status = {};
  if (::fstat(log.number(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  const auto size = static_cast<std::size_t>(fresh_size(log.number()).value_or(0));
  if (size == 0) return std::nullopt;
  const std::size_t from = size > bytes ? size - bytes : 0;
  std::string text(std::min(size, bytes), '\0');
  const ssize_t count = ::pread(log.number(), text.data(), text.size(), static_cast<off_t>(from));
  if (count <= 0) return std::nullopt;
  text.resize(static_cast<std::size_t>(count));

  LogTail tail{.file = file, .node = "", .lines = {}, .first_line = std::nullopt, .begin = 0};
  if (from == 0) tail.first_line = 1;
  std::string_view rest = text;
  if (from > 0) {
    // The first line is cut; it is all there is when the file has no line ends.
    const auto end = rest.find('\n');
    if (end != std::string_view::npos && end + 1 < rest.size()) rest.remove_prefix(end + 1);
  }
  tail.begin = static_cast<long long>(from + text.size() - rest.size());
  while (!rest.empty()) {
    const auto end = rest.find('\n');
    tail.lines.emplace_back(rest.substr(0, end));
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  }
  return tail;
}

}  // namespace rv::monitor
