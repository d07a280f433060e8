// Messages for Slurm commands that failed, and the errors that end rv if it needs their answer.
#pragma once

#include <string>
#include <string_view>

#include "base/os/process.h"

namespace rv::slurm {

/// Returns why the command gave no answer: its own message if it printed one.
std::string trouble_of(const os::Result& result);

/// Returns what the user can do about the message `trouble`, which trouble_of() returned.
std::string advice_for(std::string_view trouble);

/// Returns a command that queries Slurm. It ignores SIGPIPE: a controller under load may close the connection, and
/// Slurm's commands then retry or print an error, if the signal does not end them first.
os::Command question(std::vector<std::string> argv, std::chrono::milliseconds deadline,
                     std::vector<std::string> environment, std::string input = "");

/// Throws Error(slurm): there is no slurm.conf.
[[noreturn]] void no_configuration(const std::string& fault);

/// Throws Error(slurm): the command `asked`, which every plan needs, failed.
[[noreturn]] void no_cluster(const std::string& asked, const os::Result& result);

}  // namespace rv::slurm
