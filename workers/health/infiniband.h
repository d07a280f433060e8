// The InfiniBand and RoCE ports of this node, as the kernel shows them in /sys/class/infiniband.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "workers/report/report.h"

namespace rv::workers {

/// One port of one adapter. What could not be read is an empty text, or is absent from `counters`.
struct InfinibandPort {
  std::string device;      ///< mlx5_0
  std::string port;        ///< 1
  std::string state;       ///< ACTIVE, INIT, DOWN, …
  std::string physical;    ///< LinkUp, Polling, Disabled, …
  std::string link_layer;  ///< InfiniBand or Ethernet
  std::string board;       ///< board_id: adapters of one kind have the same
  std::string firmware;
  double gbit_per_second = 0;                     ///< 0: not known
  int lanes = 0;                                  ///< of the link: 1, 2, 4, 8, 12; 0: not known
  std::map<std::string, std::uint64_t> counters;  ///< by the names of infiniband_counters()

  std::string name() const { return device + "/" + port; }
};

/// The counters of a port that grow only by errors: Documentation/ABI/stable/sysfs-class-infiniband of Linux.
const std::vector<std::string>& infiniband_counters();

/// All ports below `root`, by name. An unreadable file is left out; no folder means no ports.
std::vector<InfinibandPort> read_infiniband(const std::filesystem::path& root = "/sys/class/infiniband");

/// A measurement for each port: it must be up if it is in use, as fast and as wide as the other ports of the same kind
/// of adapter, with the same firmware, and its error counters must not exceed those of `before`. A port without a
/// cable (physical state Disabled or Polling) passes with a warning, unless all other ports of its kind are up.
std::vector<Measurement> judge_infiniband(const std::vector<InfinibandPort>& now,
                                          const std::vector<InfinibandPort>& before);

nlohmann::ordered_json to_json(const InfinibandPort& port);
/// Throws nlohmann::json::exception for members of other types.
InfinibandPort infiniband_port_from_json(const nlohmann::ordered_json& json);

}  // namespace rv::workers
