// The user's command words, read as a person would.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace rv::cli {

/// The first word that names a script in the caller's folder, launchers and their flags passed over: "train.py" of
/// {"torchrun", "--nproc_per_node=4", "train.py"}. Only existing regular files with a script's ending count.
std::optional<std::string> script_of(const std::vector<std::string>& words);

/// A word that looks like a script of this folder and does not exist: the usual slip (wrong folder). The launcher
/// itself, flags and paths on other machines are not judged.
std::optional<std::string> missing_script(const std::vector<std::string>& words);

/// What to execute: as command_argv, but a script that is not executable gets its interpreter (python3, bash), and an
/// executable one in this folder gets its "./".
std::vector<std::string> launchable(const std::vector<std::string>& words);

}  // namespace rv::cli
