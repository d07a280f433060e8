// The request that rv on a laptop sends to rv on the login node: one word that no shell can change.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/os/terminal.h"

namespace rv::remote {

/// The position from which to follow a run after a lost connection.
struct Resume {
  bool wanted = false;
  std::string run;                           // empty: the run that the command with this token started
  std::map<std::string, long long> offsets;  // bytes that have arrived, by log file

  bool operator==(const Resume&) const = default;
};

/// The folder and project on the laptop from which a run was started.
struct ProjectPlace {
  std::string name;    // of the project's folder on the cluster; empty: in no project
  std::string folder;  // below the project's root
  std::string code;    // which version of the code it is (cli/code/code_version.h); empty: unknown

  bool operator==(const ProjectPlace&) const = default;
};

struct HopRequest {
  std::string token;               // 16 hex digits, new for every command
  std::vector<std::string> words;  // the command line without argv[0], byte for byte
  std::string folder;              // where to run it; empty: the home folder
  std::string signal;              // a number: send this signal to the command with the token, do nothing else
  bool follows = false;            // logs are sent in parts from which a reconnect can continue
  os::Terminal terminal;           // the laptop's
  Resume resume;
  ProjectPlace project;   // run in a snapshot of it
  bool dialogue = false;  // no marks after the first: of two that wait for each other's bytes none may be held back

  bool operator==(const HopRequest&) const = default;
};

/// Letters, digits, - and _ only.
std::string encode(const HopRequest& request);
/// Throws Error for text that encode() can't have written.
HopRequest decode(std::string_view text);

}  // namespace rv::remote
