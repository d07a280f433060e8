#include "cli/launch/launch_words.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

#include "cli/options/user_command.h"

namespace rv::cli {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 3> interpreters{
    {{".py", "python3"}, {".sh", "bash"}, {".bash", "bash"}}};

std::optional<std::string_view> interpreter(std::string_view word) {
  const auto found = std::find_if(interpreters.begin(), interpreters.end(),
                                  [&](const auto& known) { return word.ends_with(known.first); });
  if (found == interpreters.end() || word.size() == found->first.size()) return std::nullopt;
  return found->second;
}

bool looks_like_script(std::string_view word) {
  return !word.empty() && word.front() != '-' && word.find('=') == std::string_view::npos &&
         word.find_first_of(" \t\n;|&<>()$*?\"'`") == std::string_view::npos && interpreter(word).has_value();
}

bool is_file(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(path, ignored);
}

}  // namespace

std::optional<std::string> script_of(const std::vector<std::string>& words) {
  const auto found = std::find_if(words.begin(), words.end(),
                                  [](const auto& word) { return looks_like_script(word) && is_file(word); });
  if (found == words.end()) return std::nullopt;
  return *found;
}

std::optional<std::string> missing_script(const std::vector<std::string>& words) {
  if (script_of(words)) return std::nullopt;
  // Only the first script-like word can be the program; later ones may be files that the program is to write.
  const auto found = std::find_if(words.begin(), words.end(), looks_like_script);
  if (found == words.end()) return std::nullopt;
  return *found;
}

std::vector<std::string> launchable(const std::vector<std::string>& words) {
  auto argv = command_argv(words);
  if (argv.empty() || argv != words) return argv;
  std::string& program = argv.front();
  if (!is_file(program)) return argv;
  if (::access(program.c_str(), X_OK) == 0) {
    if (program.find('/') == std::string::npos && interpreter(program)) program = "./" + program;
    return argv;
  }
  if (const auto runner = interpreter(program)) argv.insert(argv.begin(), std::string(*runner));
  return argv;
}

}  // namespace rv::cli
