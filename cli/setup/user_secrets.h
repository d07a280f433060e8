// The variables that rv env keeps for the user's jobs: $RV_HOME/env, one file (0600) for each, its content the value.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace rv::cli {

struct UserSecret {
  std::string name;
  std::uintmax_t bytes = 0;      // of the value
  std::chrono::sys_seconds set;  // when
};

/// By name. Values are not read.
std::vector<UserSecret> user_secrets(const std::string& home);

/// Throws Error(usage), without the value in it, for a name that no job can be given or a value that no environment
/// can hold.
void check_user_secret(const std::string& name, std::string_view value);
void set_user_secret(const std::string& home, const std::string& name, std::string_view value);
/// False when nothing has that name.
bool remove_user_secret(const std::string& home, const std::string& name);

/// The file that a job sources before the user's command (monitor/run/run_secrets.h); empty when nothing is set.
std::string user_secrets_script(const std::string& home);

using NamedValues = std::vector<std::pair<std::string, std::string>>;

/// A ".env" file: NAME=VALUE lines, "export" before them or not, comments, values in single or double quotes over
/// several lines; nothing is expanded. Throws Error(usage) naming file and line, never a value.
NamedValues parse_env_file(std::string_view text, const std::string& file);
/// A text that parse_env_file() reads back.
std::string to_env_file(const NamedValues& values);

}  // namespace rv::cli
