#include "cli/batch/batch_script.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/error.h"
#include "base/quote.h"
#include "cli/batch/directives.h"

namespace rv::cli {
namespace {

// Slurm's default of SchedulerParameters=max_script_size.
constexpr std::size_t longest = 4 << 20;

[[noreturn]] void refuse(const std::string& message, const std::string& advice) {
  throw Error(message, advice, ExitCode::usage);
}

/// As the kernel does: a program, and the rest of the line as one argument.
std::vector<std::string> interpreter_of(const std::string& text) {
  std::string line = text.substr(2, std::min(text.find('\n'), text.size()) - 2);
  const auto first = line.find_first_not_of(" \t");
  if (first == std::string::npos) return {};
  line = line.substr(first, line.find_last_not_of(" \t") - first + 1);
  const auto end = line.find_first_of(" \t");
  if (end == std::string::npos) return {line};
  return {line.substr(0, end), line.substr(line.find_first_not_of(" \t", end))};
}

}  // namespace

bool is_named_as_batch(std::string_view name) {
  constexpr std::array<std::string_view, 4> endings{".sbatch", ".slurm", ".slrm", ".sb"};
  return std::any_of(endings.begin(), endings.end(), [&](auto ending) { return name.ends_with(ending); });
}

std::optional<BatchScript> batch_script(const std::vector<std::string>& words) {
  if (words.empty()) return std::nullopt;
  const std::string& name = words.front();
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(name, ignored)) return std::nullopt;
  std::ifstream file(name, std::ios::binary);
  if (!file) {
    if (!name.ends_with(".sh") && !is_named_as_batch(name)) return std::nullopt;
    refuse(fmt::format("{} can't be read: {}", name, std::strerror(errno)), "chmod u+r " + quote(name));
  }
  std::string text(longest + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (!has_directives(text)) return std::nullopt;
  if (text.size() > longest) {
    refuse(fmt::format("{} is larger than 4 MiB, which sbatch does not accept", name), "move its data to another file");
  }
  if (text.find("\r\n") != std::string::npos) {
    refuse(fmt::format("{} has Windows line ends, which sbatch does not accept", name),
           "remove them: sed -i 's/\\r$//' " + quote(name));
  }
  if (text.find('\0') != std::string::npos) {
    refuse(fmt::format("{} contains a NUL byte, which sbatch does not accept", name), "write a script, in text");
  }
  if (!text.starts_with("#!") || interpreter_of(text).empty()) {
    refuse(fmt::format("{} has #SBATCH lines, and no #! line", name), "write #!/bin/bash as its first line");
  }
  return BatchScript{.name = name, .text = text, .interpreter = interpreter_of(text)};
}

}  // namespace rv::cli
