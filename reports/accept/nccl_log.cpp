#include "reports/accept/nccl_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>

#include "base/text.h"

namespace rv::accept {
namespace {

/// "P2P/CUMEM/read" → P2P; "NET/IB/0/GDRDMA" → NET/IB. A plugin for InfiniBand calls itself IBext, IBext_v10, …
std::string way_of(std::string_view words) {
  if (words.starts_with("direct shared memory")) return "SHM";  // NCCL 2.8 and before
  words = words.substr(0, words.find_first_of(" \t\r"));
  const auto first = std::min(words.find('/'), words.size());
  if (words.substr(0, first) != "NET") return std::string(words.substr(0, first));
  auto net = words.substr(std::min(first + 1, words.size()));
  net = net.substr(0, net.find('/'));
  return net.starts_with("IB") ? "NET/IB" : fmt::format("NET/{}", net);
}

/// "NET/IB/1/GDRDMA", "NET/IBext_v8/0(1)/GDRDMA/Shared" → the number of the device.
std::optional<int> device_of(std::string_view words) {
  if (!words.starts_with("NET/IB")) return std::nullopt;
  const auto slash = words.find('/', std::string_view("NET/").size());
  if (slash == std::string_view::npos) return std::nullopt;
  int device = 0;
  const auto digits = words.substr(slash + 1);
  const auto [end, fault] = std::from_chars(digits.data(), digits.data() + digits.size(), device);
  return fault == std::errc() ? std::optional(device) : std::nullopt;
}

/// The numbers of the devices that speak Ethernet, of "NET/IB : Using [0]mlx5_0:1/IB [1]mlx5_bond_0:1/RoCE [RO]; OOB
/// …". Several cards may be one device: "[0]={[0] rocep1s0:1/RoCE, [1] rocep1s0:2/RoCE}".
std::set<int> roce_devices(std::string_view words) {
  words = words.substr(0, words.find("; OOB"));
  std::set<int> devices;
  int device = -1;
  bool within = false;  // the braces of a device of several cards
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == '{' || words[i] == '}') within = words[i] == '{';
    if (words[i] == '[' && !within) std::from_chars(words.data() + i + 1, words.data() + words.size(), device);
    if (words.substr(i).starts_with("/RoCE") && device >= 0) devices.insert(device);
  }
  return devices;
}

/// A whole line of a channel: "… NCCL INFO Channel 00/0 : 0[0] -> 1[1] [send] via NET/IB/0". Returns what
/// follows "via ". Nothing: another line.
std::string_view via_in(std::string_view line) {
  const auto channel = line.find(" Channel ");
  const auto arrow = line.find(" -> ");
  const auto via = line.find(" via ");
  if (channel == std::string_view::npos || arrow == std::string_view::npos || via == std::string_view::npos) return {};
  if (!(channel < arrow && arrow < via)) return {};
  return line.substr(via + 5);
}

}  // namespace

NcclChannels read_nccl_log(std::string_view text) {
  NcclChannels channels;
  std::set<int> roce;
  while (!text.empty()) {
    const auto end = text.find('\n');
    if (end == std::string_view::npos) break;  // cut off
    const auto line = text.substr(0, end);
    text.remove_prefix(end + 1);
    if (line.find(" NCCL INFO ") == std::string_view::npos) continue;
    if (const auto via = via_in(line); !via.empty()) {
      ++channels.ways[way_of(via)];
      const auto device = device_of(via);
      if (device && roce.contains(*device)) ++channels.roce;
    }
    if (line.find("NCCL_P2P_LEVEL set by environment to NVL") != std::string_view::npos) channels.nvlink_alone = true;
    constexpr std::string_view using_devices = "NET/IB : Using ";
    if (const auto at = line.find(using_devices); at != std::string_view::npos) {
      roce = roce_devices(line.substr(at + using_devices.size()));
    }
  }
  return channels;
}

void add(NcclChannels& sum, const NcclChannels& more) {
  const bool first = !sum.ways.contains("P2P");
  if (more.ways.contains("P2P")) sum.nvlink_alone = more.nvlink_alone && (first || sum.nvlink_alone);
  sum.roce += more.roce;
  for (const auto& [way, count] : more.ways) sum.ways[way] += count;
}

std::string_view to_string(Used used) {
  switch (used) {
    case Used::yes:
      return "yes";
    case Used::no:
      return "no";
    case Used::unknown:
      return "unknown";
  }
  return "";
}

Used used(Fabric fabric, const NcclChannels& channels) {
  if (channels.ways.empty()) return Used::unknown;
  static const std::map<Fabric, std::string> names = {
      {Fabric::nvlink, "P2P"}, {Fabric::shm, "SHM"}, {Fabric::ib, "NET/IB"}, {Fabric::ethernet, "NET/Socket"}};
  const auto& name = names.at(fabric);
  const bool all =
      std::all_of(channels.ways.begin(), channels.ways.end(), [&](const auto& w) { return w.first == name; });
  if (!all) return Used::no;
  return fabric == Fabric::nvlink && !channels.nvlink_alone ? Used::unknown : Used::yes;
}

std::string ways_text(const NcclChannels& channels) {
  if (channels.ways.empty()) return "NCCL's log shows no channel";
  std::vector<std::string> parts;
  for (const auto& [way, count] : channels.ways) {
    std::string note;
    if (way == "P2P" && channels.nvlink_alone) note = " (only NVLink)";
    if (way == "NET/IB" && channels.roce == count) note = " (RoCE)";
    if (way == "NET/IB" && channels.roce > 0 && channels.roce < count) {
      note = fmt::format(" ({} of them RoCE)", channels.roce);
    }
    parts.push_back(fmt::format("{} over {}{}", counted(count, "channel"), way, note));
  }
  return listed(parts);
}

}  // namespace rv::accept
