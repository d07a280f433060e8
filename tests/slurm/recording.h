// Recorded output of real Slurm, from tests/data/slurm (see the README there).
#pragma once

#include <doctest/doctest.h>

#include <fstream>
#include <sstream>
#include <string>

#include "base/os/process.h"

inline std::string recording(const std::string& name) {
  const std::string path = std::string(RV_TEST_DATA) + "/slurm/" + name;
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

inline constexpr const char* releases[] = {"20.11.9", "22.05.8", "26.05.3"};
