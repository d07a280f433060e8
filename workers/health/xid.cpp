#include "workers/health/xid.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>

#include "shared/system/descriptor.h"

namespace rv::workers {

std::vector<Xid> parse_xids(std::string_view log) {
  constexpr std::string_view gpu_mark = "NVRM: Xid (PCI:", nvswitch_mark = "SXid (PCI:";
  std::vector<Xid> xids;
  while (!log.empty()) {
    const auto line = log.substr(0, log.find('\n'));
    log.remove_prefix(std::min(line.size() + 1, log.size()));
    const bool nvswitch = line.find(nvswitch_mark) != std::string_view::npos;
    const auto mark = nvswitch ? nvswitch_mark : gpu_mark;
    const auto begin = line.find(mark);
    if (begin == std::string_view::npos) continue;
    const auto place = line.substr(begin + mark.size());
    const auto end = place.find("): ");
    if (end == std::string_view::npos) continue;
    Xid xid;
    xid.pci_bus_id = place.substr(0, end);
    xid.nvswitch = nvswitch;
    const auto rest = place.substr(end + 3);
    const auto [after, code] = std::from_chars(rest.data(), rest.data() + rest.size(), xid.code);
    if (code != std::errc()) continue;
    xid.text = rest;
    xids.push_back(std::move(xid));
  }
  return xids;
}

XidLog read_xids() {
  XidLog log;
  const os::Descriptor file(open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  if (file.number() < 0) {
    log.reason = std::string("/dev/kmsg: ") + std::strerror(errno);
    return log;
  }
  // Each read returns one record. EPIPE means that the oldest records were overwritten meanwhile, not the end.
  std::array<char, 8192> buffer;
  std::string text;
  while (true) {
    const auto n = read(file.number(), buffer.data(), buffer.size());
    if (n > 0) {
      text.append(buffer.data(), static_cast<std::size_t>(n));
    } else if (n == 0 || (errno != EPIPE && errno != EINTR)) {
      log.readable = n == 0 || errno == EAGAIN;
      if (!log.readable) log.reason = std::string("/dev/kmsg: ") + std::strerror(errno);
      break;
    }
  }
  log.xids = parse_xids(text);
  return log;
}

}  // namespace rv::workers
