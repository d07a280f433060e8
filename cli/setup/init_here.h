// rv init on the machine that has Slurm: every setting is tried out before it is written.
#pragma once

#include <string>

#include "cli/options/invocation.h"

namespace rv::cli {

struct InitOptions {
  std::string user;
  std::string account;
  std::string scratch;
  std::string cluster_home;
};

/// Queries Slurm, writes to the folders, asks for missing values if a user can answer, then writes
/// account and scratch to the settings file. Prints what it found. Throws Error before anything is written.
int set_up_here(const InitOptions& options, const Invocation& invocation);

/// One line of what rv init found.
void say_found(const std::string& what, const std::string& found);

/// Writes a chosen setting and returns whether it changed. Does nothing for an empty value.
void keep_setting(const std::string& file, const std::string& key, const std::string& value, const Invocation& how);

}  // namespace rv::cli
