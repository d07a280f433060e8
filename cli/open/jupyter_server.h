// A run whose command is Jupyter.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "monitor/run/run_folder.h"

namespace rv::cli {

/// argv of the command that starts it, in a run whose folder has been prepared.
std::vector<std::string> jupyter_argv();

/// Writes settings and a new token, readable only by the user, into the run's folder. `unattended`: the server ends
/// after this time without a kernel or a visitor; 0: never.
void prepare_jupyter(const monitor::RunFolder& folder, std::chrono::seconds unattended);

struct JupyterPage {
  int port = 0;  // on the node's loopback
  std::string path;
  bool secure = false;
};

/// The address of the server, once the server has written it to its file.
std::optional<JupyterPage> jupyter_page(const monitor::RunFolder& folder);

/// The run is one of rv jupyter's.
bool is_jupyter(const monitor::RunFolder& folder);
/// The node had no Jupyter to start.
bool jupyter_is_missing(const monitor::RunFolder& folder);

}  // namespace rv::cli
