#include "cli/launch/launch_words.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/error.h"
#include "base/os/current_folder.h"
#include "cli/batch/batch_script.h"
#include "cli/options/user_command.h"
#include "cli/project/prepare/this_machine.h"
#include "shared/system/descriptor.h"

namespace rv::cli {
namespace {

bool looks_like_script(std::string_view word) {
  return !word.empty() && word.front() != '-' && word.find('=') == std::string_view::npos &&
         word.find_first_of(" \t\n;|&<>()$*?\"'`") == std::string_view::npos && project::program_for(word).has_value();
}

/// A word that can't be anything else than the script to start, as "job.sbatch" and "bash job.sbatch".
bool is_batch_program(const std::vector<std::string>& words, const std::string& word) {
  const bool starts = &word == words.data() || (&word == words.data() + 1 && (words[0] == "bash" || words[0] == "sh"));
  return starts && is_named_as_batch(word) && project::on_path(word).empty();
}

bool is_file(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(path, ignored);
}

/// The script that the command names first, if it does not exist.
std::optional<std::string> missing_script(const std::vector<std::string>& typed) {
  if (script_of(typed)) return std::nullopt;
  bool whole = true;
  if (typed.size() == 1 && !is_file(typed.front())) project::plain_words(typed.front(), &whole);
  // Another command of the line may make the script, or go to its folder.
  if (!whole) return std::nullopt;
  const auto words = project::words_of_command(typed, properties_of);
  // Only the first script-like word can be the program; later ones may be files that the program is to write.
  const auto found = std::find_if(words.begin(), words.end(), [&](const auto& word) {
    return looks_like_script(word) || is_batch_program(words, word);
  });
  if (found == words.end() || is_file(*found)) return std::nullopt;
  return *found;
}

}  // namespace

project::FileProperties properties_of(const std::string& path) {
  project::FileProperties properties;
  properties.on_path = path.find('/') == std::string::npos && !project::on_path(path).empty();
  std::error_code ignored;
  properties.folder = std::filesystem::is_directory(path, ignored);
  properties.file = is_file(path);
  if (!properties.file) return properties;
  properties.executable = ::access(path.c_str(), X_OK) == 0;
  const os::Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  char buffer[4096];
  const ssize_t count = file.number() < 0 ? -1 : ::read(file.number(), buffer, sizeof buffer);
  if (count > 0) properties.head.assign(buffer, static_cast<std::size_t>(count));
  return properties;
}

std::optional<std::string> script_of(const std::vector<std::string>& typed) {
  const auto words = project::words_of_command(typed, properties_of);
  const auto found = std::find_if(words.begin(), words.end(),
                                  [](const auto& word) { return looks_like_script(word) && is_file(word); });
  if (found == words.end()) return std::nullopt;
  return *found;
}

void refuse_shell_stream(const std::vector<std::string>& words) {
  const std::string first = words.empty() ? std::string() : words.front();
  if (first == "-" || first.starts_with("/dev/fd/") || first.starts_with("/proc/self/fd/")) {
    throw Error(fmt::format("the job can't read {}, which belongs to this shell", first == "-" ? "stdin" : first),
                "write the script to a file: rv run FILE", ExitCode::usage);
  }
}

void require_script(const std::vector<std::string>& words) {
  refuse_shell_stream(words);
  const auto missing = missing_script(words);
  if (!missing) return;
  throw Error(fmt::format("{} does not exist in {}", *missing, os::current_folder()),
              "go to the script's folder first, or write its full path", ExitCode::usage);
}

project::Starting launchable(const std::vector<std::string>& words, const std::vector<std::string>& interpreter) {
  auto argv = command_argv(words);
  const bool line = argv != words;
  return project::starting(std::move(argv), line, interpreter, properties_of);
}

project::Starting launchable_as_typed(const std::vector<std::string>& words) {
  auto argv = command_argv(words);
  if (argv != words) return {.argv = std::move(argv), .why = {}, .notes = {}, .fault = std::nullopt};
  return project::starting_as_typed(std::move(argv), properties_of);
}

}  // namespace rv::cli
