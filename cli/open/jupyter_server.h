// A run whose command is Jupyter.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "monitor/run/run_folder.h"

namespace rv::cli {

/// argv of the command that starts it, in a run whose folder has been prepared.
std::vector<std::string> jupyter_argv();

/// Writes settings and a new token, readable by the user alone, into the run's folder. `unattended`: the server ends
/// when it has had no kernel and no use for so long; 0: never.
void prepare_jupyter(const monitor::RunFolder& folder, std::chrono::seconds unattended);

struct JupyterPage {
  int port = 0;  // on the node's loopback
  std::string path;
  bool secure = false;
};

/// Where the server is, once it has written that down.
std::optional<JupyterPage> jupyter_page(const monitor::RunFolder& folder);

/// The run is one of rv jupyter's.
bool is_jupyter(const monitor::RunFolder& folder);
/// The node had no Jupyter to start.
bool jupyter_is_missing(const monitor::RunFolder& folder);

}  // namespace rv::cli
