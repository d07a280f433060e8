// What the suite io of an acceptance measures, and whether that can be done.
#pragma once

#include "cli/options/accept_options.h"
#include "cli/settings/settings.h"
#include "reports/accept/order.h"

namespace rv::cli {

/// Where the worker runs, seen from the rv that starts it.
enum class IoPlace {
  here,       // on this machine, or on nodes that see what it sees
  elsewhere,  // on nodes that may have folders which this machine lacks
  far,        // on machines that have nothing to do with this one: the folders must be named
};

/// The folders are those of --io-folder, else scratch and home of the settings. Nothing where the order has no io.
/// Throws Error(usage) for a folder that does not exist (here), is not a folder, is read-only or has no space for the
/// files that would be written.
accept::IoOrder io_order_of(const AcceptOptions& options, const accept::Order& order, const Settings& settings,
                            IoPlace place);

/// Paths of the folders, for what has to make them visible in a container.
std::vector<std::string> io_paths(const accept::IoOrder& io);

}  // namespace rv::cli
