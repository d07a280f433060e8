// The forwarder's request to the login node and the answer: JSON in both directions.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/error.h"

namespace rv::forward {

struct Target {
  std::string node;
  int port = 0;

  bool operator==(const Target&) const = default;
};

struct RelayRequest {
  std::string run;              // ID, unique beginning or name; empty: the newest
  std::string node;             // empty: the run's first
  std::vector<int> ports;       // on that node
  bool automatic = false;       // all ports that the run's processes listen on
  std::vector<Target> targets;  // of an earlier answer, when a lost connection is made again

  bool operator==(const RelayRequest&) const = default;
};
std::string to_text(const RelayRequest& request);
/// Throws Error for text that to_text can't have written.
RelayRequest relay_request(const std::string& text);

struct Hello {
  std::string run;  // ID
  std::string name;
  std::vector<Target> targets;  // in the order of the request's ports, then those that were found
  std::optional<Error> fault;   // nothing is forwarded
};
std::string to_text(const Hello& hello);
/// The answer as it was sent, which agreed_targets.h holds against the request. Throws Error for text that to_text
/// can't have written.
Hello hello(const std::string& text);

}  // namespace rv::forward
