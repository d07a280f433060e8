// The report of a host about itself before any work runs there.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/remote/hosts/host_word.h"

namespace rv::remote {

struct HostFacts {
  std::string system;        // "Linux x86_64 5.14.0"
  std::string folder;        // the private one of its side
  std::optional<int> gpus;   // visible GPUs; nothing: it can't count them
  bool has_workers = false;  // the same programs at the same path as here
  int free_port = 0;         // if the host searched for one
  std::string machine;       // the same for two names of one host; containers of one machine differ. Empty: not known
  std::optional<HostAddress> address;  // its own as this side reached it
  std::optional<HostAddress> client;   // this side's as the host saw it
};

/// Takes "gpus 4" and the like; other keys are ignored. Throws RefusedInput for a
/// value outside its key's alphabet, range or length. `token` ends the name of the private folder.
void note_fact(HostFacts& facts, std::string_view words, std::string_view token);

/// By what the others reach the first host: its address as seen from here; where that is a loopback, as the next host
/// saw it at another address; 127.0.0.1 if all are on one machine; otherwise its name.
MeetingPoint meeting_address(const std::vector<HostFacts>& hosts, const ListedHost& first_name);

}  // namespace rv::remote
