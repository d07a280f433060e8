// The forwards of this machine: one file each in rv's folder, and the process behind it.
#pragma once

#include <string>
#include <vector>

#include "cli/remote/forward/relay_request.h"

namespace rv::forward {

struct ForwardedPort {
  int local = 0;
  Target target;
};

struct ForwardRecord {
  std::string machine;  // where its process is
  int pid = 0;
  std::string began;       // of the process, in the kernel's clock ticks: a number may be given to another process
  std::string login_node;  // its name for ssh; empty: this machine
  std::string run;
  std::string name;
  std::string state;    // "open", "reconnecting"
  std::string refusal;  // why the last connection was not made; empty: it was
  std::vector<ForwardedPort> ports;
};

/// $RV_HOME/forwards/<machine>-<pid>.json
std::string record_path(const std::string& home, const ForwardRecord& record);
void write_record(const std::string& home, const ForwardRecord& record);

/// The record of the calling process, without ports.
ForwardRecord own_record();

/// All records, by local port. Those of this machine whose process has gone are removed, and left out.
std::vector<ForwardRecord> read_records(const std::string& home);

/// Closes these local ports of a forward on this machine; the last one ends its process. Returns when it is done.
void stop_ports(const std::string& home, ForwardRecord record, const std::vector<int>& ports);

/// The signal that makes a forward read its record again.
int reread_signal();

}  // namespace rv::forward
