// Which hosts, and how many ranks on each: a hosts file or a list of names.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/remote/hosts/host_word.h"

namespace rv::remote {

struct Host {
  std::string target;        // what ssh takes: name, user@name, a Host entry of ~/.ssh/config
  ListedHost name;           // without the user: what reports and messages call it
  std::optional<int> slots;  // ranks on the host; nothing: not given

  bool operator==(const Host&) const = default;
};

/// A line a host in the order of the nodes, as Open MPI has it: "host [slots=N] [max_slots=N]" or "host:N"; # begins a
/// comment. A host may be a range as Slurm writes it, "gpu[01-04]", or a list of hosts and ranges. `path` is for the
/// messages. Throws Error(usage), naming the line, for a host that comes twice, a name that can't be one, an unknown
/// key, where no host is named, and for a file that is UTF-16 text.
std::vector<Host> parse_hosts_file(std::string_view text, const std::string& path);

/// "h1,ann@h2:4": the same on the command line.
std::vector<Host> parse_hosts_words(std::string_view text);

/// Reads the value of --hosts: an existing file, or else names. Throws Error(usage) for a word with a slash or the end
/// of a file's name that does not exist.
std::vector<Host> read_hosts(const std::string& word);

}  // namespace rv::remote
