// Interprets the user's command.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/project/starting.h"

namespace rv::cli {

/// The file as it is now.
project::FileProperties properties_of(const std::string& path);

/// The first word that names a script in the caller's folder, launchers and their flags passed over: "train.py" of
/// {"torchrun", "--nproc_per_node=4", "train.py"}, and of the same as one shell line. Only existing regular files with
/// a script's ending count.
std::optional<std::string> script_of(const std::vector<std::string>& words);

/// Throws Error(usage) if the script of the command does not exist in this folder, usually because rv was called in
/// another one, or is a pipe of the calling shell ("-", "/dev/fd/63"). The launcher itself, flags, paths on other
/// machines, and shell lines with more than one command are not checked.
void require_script(const std::vector<std::string>& words);

/// The part of it that needs no files. Throws Error(usage).
void refuse_shell_stream(const std::vector<std::string>& words);

/// What to execute: as command_argv, with what cli/project/starting.h adds.
project::Starting launchable(const std::vector<std::string>& words, const std::vector<std::string>& interpreter = {});

/// The same without additions.
project::Starting launchable_as_typed(const std::vector<std::string>& words);

}  // namespace rv::cli
