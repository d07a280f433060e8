// Recorded output of real Slurm, from tests/data/slurm (see the README there).
#pragma once

#include <doctest/doctest.h>

#include <array>
#include <chrono>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

#include "base/os/process.h"
#include "planner/cluster/cluster.h"
#include "slurm/tested_releases.h"
#include "tests/source_tree.h"

inline std::string recording(const std::string& name) {
  const std::string path = in_tree("tests/data/slurm/" + name);
  if (name.ends_with(".gz")) {
    const auto result = rv::os::run({.argv = {"gzip", "-dc", path},
                                     .input = "",
                                     .deadline = std::chrono::seconds(30),
                                     .environment = {"PATH=/usr/bin:/bin"},
                                     .folder = ""});
    REQUIRE(result.ok());
    return result.out;
  }
  std::ifstream file(path);
  REQUIRE_MESSAGE(file.good(), path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

/// Every release that was tried has a recording of the same scenario (tests/recording).
inline constexpr auto releases = [] {
  std::array<const char*, rv::slurm::tested_releases.size()> names{};
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = rv::slurm::tested_releases[i].release;
  return names;
}();

/// When the answers of a release were recorded, by its controller's clock.
inline rv::planner::TimePoint recorded_at(const std::string& release) {
  const auto text = recording(release + "/config.epoch.out");
  const std::string_view before = "Configuration data as of ";
  REQUIRE(text.starts_with(before));
  return rv::planner::TimePoint(std::chrono::seconds(std::stoll(text.substr(before.size()))));
}
