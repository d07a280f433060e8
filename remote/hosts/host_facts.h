// What a host says of itself before anything runs there.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rv::remote {

struct HostFacts {
  std::string system;        // "Linux x86_64 5.14.0"
  std::string folder;        // the private one of its side
  std::optional<int> gpus;   // visible ones; nothing: it has no way to count them
  bool has_workers = false;  // the same programs at the same path as here
  int free_port = 0;         // at the moment it looked
  std::string machine;       // the same for two names of one host; containers of one machine differ. Empty: not known
  std::string address, client;  // its own as this side reached it, and this side's as it saw it; empty: not known
};

/// Takes "gpus 4" and the like; other words are left alone.
void note_fact(HostFacts& facts, std::string_view words);

/// By what the others reach the first host: its address as seen from here; where that is a loopback, as the next host
/// saw it from which this side looks elsewhere; 127.0.0.1 where all are on one machine; else its name.
std::string meeting_address(const std::vector<HostFacts>& hosts, const std::string& first_name);

}  // namespace rv::remote
