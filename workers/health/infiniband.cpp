#include "workers/health/infiniband.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <tuple>

#include "shared/documents/json_integer.h"

namespace rv::workers {
namespace {

namespace fs = std::filesystem;

// InfiniBand allows a bit error rate of 1e-12: at 400 Gb/s 2.5 errors a second before correction, hardly any after it.
constexpr std::uint64_t symbol_errors_allowed = 100;

/// The first line of a small file of sysfs, without blanks at its end; empty if it can't be read.
std::string line_of(const fs::path& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  line.resize(std::min<std::size_t>(line.size(), 256));
  const auto end = line.find_last_not_of(" \t\r");
  return end == std::string::npos ? "" : line.substr(0, end + 1);
}

/// "4: ACTIVE" → "ACTIVE".
std::string after_colon(const std::string& text) {
  const auto colon = text.find(": ");
  return colon == std::string::npos ? text : text.substr(colon + 2);
}

/// "400 Gb/sec (4X NDR)" → 400 and 4.
void parse_rate(const std::string& text, InfinibandPort& port) {
  const auto* const end = text.data() + text.size();
  if (const auto parsed = std::from_chars(text.data(), end, port.gbit_per_second); parsed.ec != std::errc()) {
    port.gbit_per_second = 0;
  }
  const auto open = text.find('(');
  if (open != std::string::npos) std::from_chars(text.data() + open + 1, end, port.lanes);
}

/// Sorted names of the entries of a folder; none if it can't be read.
std::vector<std::string> entries_of(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    names.push_back(entry->path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

InfinibandPort read_port(const fs::path& adapter, const std::string& number) {
  const auto folder = adapter / "ports" / number;
  InfinibandPort port;
  port.device = adapter.filename().string();
  port.port = number;
  port.state = after_colon(line_of(folder / "state"));
  port.physical = after_colon(line_of(folder / "phys_state"));
  port.link_layer = line_of(folder / "link_layer");
  port.board = line_of(adapter / "board_id");
  port.firmware = line_of(adapter / "fw_ver");
  parse_rate(line_of(folder / "rate"), port);
  for (const auto& name : infiniband_counters()) {
    const auto text = line_of(folder / "counters" / name);
    std::uint64_t value = 0;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
    if (!text.empty() && parsed.ec == std::errc()) port.counters[name] = value;
  }
  return port;
}

/// Ports that should be alike: the same port of the same kind of adapter.
using Kind = std::tuple<std::string, std::string, std::string>;
Kind kind_of(const InfinibandPort& port) {
  return {port.board, port.link_layer, port.port};
}

bool is_up(const InfinibandPort& port) {
  return port.state == "ACTIVE";
}

/// Compares one port with those of its kind and with its earlier self.
class PortJudge {
 public:
  PortJudge(const InfinibandPort& port, const std::vector<InfinibandPort>& all, const InfinibandPort* before)
      : port_(port), before_(before) {
    for (const auto& other : all) {
      if (kind_of(other) == kind_of(port)) equals_.push_back(&other);
    }
  }

  Measurement judge() {
    Measurement m;
    m.suite = "health";
    m.name = "infiniband " + port_.name();
    m.device.model = "host";
    m.params = to_json(port_);
    if (port_.state.empty()) {
      m.verdict = Verdict::skip;
      m.reason = "not_available";
      m.params["detail"] = "the state of the port can't be read";
      return m;
    }
    if (is_up(port_)) {
      compare_with_equals();
    } else {
      judge_port_that_is_down();
    }
    if (before_ != nullptr) compare_with_before();
    if (!warnings_.empty()) m.params["warning"] = fmt::format("{}", fmt::join(warnings_, "; "));
    m.verdict = wrong_.empty() ? Verdict::pass : Verdict::fail;
    m.reason = fmt::format("{}", fmt::join(wrong_, "; "));
    return m;
  }

 private:
  template <class Predicate>
  std::ptrdiff_t count(Predicate predicate) const {
    return std::count_if(equals_.begin(), equals_.end(), [&](const auto* port) { return predicate(*port); });
  }

  void judge_port_that_is_down() {
    const auto state = fmt::format("{} ({})", port_.state, port_.physical.empty() ? "unknown" : port_.physical);
    if (port_.physical == "LinkUp") {
      wrong_.push_back(state + ": the link is up, but no subnet manager has set up the port");
      return;
    }
    const bool can_be_unused = port_.physical == "Disabled" || port_.physical == "Polling" || port_.physical == "Sleep";
    const auto others = static_cast<std::ptrdiff_t>(equals_.size()) - 1;
    const auto up = count(is_up);
    if (!can_be_unused || (port_.physical == "Polling" && others > 0 && up == others)) {
      wrong_.push_back(others > 0 ? fmt::format("{}, but {} of {} other ports of its kind are up", state, up, others)
                                  : state);
    } else {
      warnings_.push_back(state + ": the port is not in use");
    }
  }

  void compare_with_equals() {
    double fastest = 0;
    int widest = 0;
    std::map<std::string, int> firmware;
    for (const auto* other : equals_) {
      ++firmware[other->firmware];
      if (!is_up(*other)) continue;
      fastest = std::max(fastest, other->gbit_per_second);
      widest = std::max(widest, other->lanes);
    }
    if (port_.gbit_per_second > 0 && port_.gbit_per_second < fastest) {
      wrong_.push_back(fmt::format("{:g} Gb/s, but {:g} Gb/s on {} of {} ports of its kind", port_.gbit_per_second,
                                   fastest, count([&](const auto& one) { return one.gbit_per_second == fastest; }),
                                   equals_.size()));
    }
    if (port_.lanes > 0 && port_.lanes < widest) {
      wrong_.push_back(fmt::format("{} lanes, but {} lanes on other ports of its kind", port_.lanes, widest));
    }
    const auto usual = std::max_element(firmware.begin(), firmware.end(),
                                        [](const auto& a, const auto& b) { return a.second < b.second; });
    if (!port_.firmware.empty() && 2 * usual->second > static_cast<int>(equals_.size()) &&
        usual->first != port_.firmware) {
      wrong_.push_back(fmt::format("firmware {}, but {} on {} of {} ports of its kind", port_.firmware, usual->first,
                                   usual->second, equals_.size()));
    }
  }

  /// A counter that is smaller than before has been reset: it says nothing.
  void compare_with_before() {
    for (const auto& [name, value] : port_.counters) {
      const auto old = before_->counters.find(name);
      if (old == before_->counters.end() || value <= old->second) continue;
      const auto more = value - old->second;
      auto text = fmt::format("{} {} more than before", more, name);
      const bool allowed = name == "symbol_error" && more <= symbol_errors_allowed;
      (allowed ? warnings_ : wrong_).push_back(std::move(text));
    }
  }

  const InfinibandPort& port_;
  const InfinibandPort* before_;
  std::vector<const InfinibandPort*> equals_;
  std::vector<std::string> wrong_, warnings_;
};

}  // namespace

const std::vector<std::string>& infiniband_counters() {
  static const std::vector<std::string> names = {"symbol_error",
                                                 "link_error_recovery",
                                                 "link_downed",
                                                 "port_rcv_errors",
                                                 "port_rcv_remote_physical_errors",
                                                 "port_xmit_discards",
                                                 "port_xmit_constraint_errors",
                                                 "port_rcv_constraint_errors",
                                                 "local_link_integrity_errors",
                                                 "excessive_buffer_overrun_errors"};
  return names;
}

std::vector<InfinibandPort> read_infiniband(const fs::path& root) {
  std::vector<InfinibandPort> ports;
  for (const auto& adapter : entries_of(root)) {
    for (const auto& number : entries_of(root / adapter / "ports")) ports.push_back(read_port(root / adapter, number));
  }
  return ports;
}

std::vector<Measurement> judge_infiniband(const std::vector<InfinibandPort>& now,
                                          const std::vector<InfinibandPort>& before) {
  std::vector<Measurement> all;
  for (const auto& port : now) {
    const auto old =
        std::find_if(before.begin(), before.end(), [&](const auto& one) { return one.name() == port.name(); });
    all.push_back(PortJudge(port, now, old == before.end() ? nullptr : &*old).judge());
  }
  for (const auto& port : before) {
    if (std::any_of(now.begin(), now.end(), [&](const auto& one) { return one.name() == port.name(); })) continue;
    Measurement m;
    m.suite = "health";
    m.name = "infiniband " + port.name();
    m.device.model = "host";
    m.verdict = Verdict::fail;
    m.reason = "this port is missing; the earlier report has it";
    all.push_back(std::move(m));
  }
  return all;
}

nlohmann::ordered_json to_json(const InfinibandPort& port) {
  nlohmann::ordered_json json = {{"device", port.device},
                                 {"port", port.port},
                                 {"state", port.state},
                                 {"physical", port.physical},
                                 {"link_layer", port.link_layer},
                                 {"board", port.board},
                                 {"firmware", port.firmware},
                                 {"gbit_per_second", port.gbit_per_second},
                                 {"lanes", port.lanes}};
  json["counters"] = nlohmann::ordered_json::object();
  for (const auto& [name, value] : port.counters) json["counters"][name] = value;
  return json;
}

InfinibandPort infiniband_port_from_json(const nlohmann::ordered_json& json) {
  InfinibandPort port;
  port.device = json.at("device").get<std::string>();
  port.port = json.at("port").get<std::string>();
  for (const auto& [name, value] : json.at("counters").items()) port.counters[name] = integer_of<std::uint64_t>(value);
  return port;
}

}  // namespace rv::workers
