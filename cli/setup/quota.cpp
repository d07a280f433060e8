#include "cli/setup/quota.h"

#include <fmt/format.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <sstream>

#include "base/os/atomic_file.h"
#include "base/os/process.h"
#include "base/text.h"
#include "cli/views/run_table.h"
#include "slurm/environment.h"

namespace rv::cli {

namespace {

constexpr std::size_t most_lines = 8;  // of a site's own command
constexpr long lustre = 0x0bd00bd3;    // LL_SUPER_MAGIC

os::Command question(std::vector<std::string> argv, std::chrono::seconds within) {
  return {.argv = std::move(argv),
          .input = "",
          .deadline = within,
          .environment = slurm::query_environment(),
          .folder = "/"};
}

std::vector<std::string> words_of(const std::string& line) {
  std::istringstream words(line);
  std::vector<std::string> out;
  for (std::string word; words >> word;) out.push_back(word);
  return out;
}

/// "0", "0K", "-", "none": there is no limit.
bool limits(const std::string& size) {
  return size.find_first_of("123456789") != std::string::npos;
}

/// "249M", "1.5T", "100"; nothing for anything else.
std::optional<double> size_in_words(const std::string& word) {
  constexpr std::string_view units = "KMGTP";
  char* end = nullptr;
  double size = std::strtod(word.c_str(), &end);
  if (end == word.c_str()) return std::nullopt;
  const std::size_t unit = *end == '\0' ? std::string_view::npos : units.find(*end);
  if (*end != '\0' && unit == std::string_view::npos) return std::nullopt;
  for (std::size_t i = 0; unit != std::string_view::npos && i <= unit; ++i) size *= 1024;
  return size;
}

bool on_lustre(const std::string& folder) {
  struct statfs status {};
  return ::statfs(folder.c_str(), &status) == 0 && static_cast<long>(status.f_type) == lustre;
}

/// 0.95 of "95G of 100G (105G at most) on nas:/home", with any text around the two sizes; nothing if no two sizes
/// stand so.
std::optional<double> share_of_quota(std::string_view figure) {
  const auto words = words_of(std::string(figure));
  for (std::size_t i = 1; i + 1 < words.size(); ++i) {
    if (words[i] != "of") continue;
    const auto used = size_in_words(words[i - 1]);
    const auto allowed = size_in_words(words[i + 1]);
    if (used && allowed && *allowed > 0) return *used / *allowed;
  }
  return std::nullopt;
}

}  // namespace

std::vector<std::string> parse_quota(std::string_view text) {
  std::vector<std::string> figures;
  std::istringstream lines{std::string(text)};
  bool rows = false;
  std::string system;  // of a row that continues on the next line because its name is long
  for (std::string line; std::getline(lines, line);) {
    auto words = words_of(line);
    if (!words.empty() && words.front() == "Filesystem") {
      rows = true;
      continue;
    }
    if (words.empty() || words.front() == "Disk") rows = false;
    if (!rows) continue;
    if (words.size() == 1) {
      system = words.front();
      continue;
    }
    if (!system.empty()) words.insert(words.begin(), std::exchange(system, ""));
    const auto size = [](const std::string& word) { return word.find_first_of("0123456789") == 0; };
    if (words.size() < 4 || !size(words[1])) continue;
    std::string used = words[1];
    if (used.ends_with('*')) used.pop_back();  // over the quota
    const bool soft = limits(words[2]);
    const bool hard = limits(words[3]);
    if (!soft && !hard) continue;
    figures.push_back(fmt::format("{} of {}{} on {}", used, soft ? words[2] : words[3],
                                  soft && hard && words[2] != words[3] ? fmt::format(" ({} at most)", words[3]) : "",
                                  one_line(words[0])));
  }
  return figures;
}

std::vector<std::string> quota_figures(const std::string& site_command, const std::vector<std::string>& folders,
                                       std::chrono::seconds within) {
  std::vector<std::string> figures;
  if (!site_command.empty()) {
    const auto answer = os::run(question({"bash", "-c", site_command}, within));
    std::istringstream lines(answer.ok() ? answer.out : "");
    for (std::string line; std::getline(lines, line) && figures.size() < most_lines;) {
      if (!words_of(line).empty()) figures.push_back(one_line(line));
    }
    return figures;
  }
  std::vector<os::Command> questions{question({"quota", "-s"}, within)};
  for (const std::string& folder : folders) {
    if (on_lustre(folder)) {
      questions.push_back(question({"lfs", "quota", "-h", "-u", std::to_string(::getuid()), folder}, within));
    }
  }
  // quota exits with 1 for a user over quota, so its output counts.
  for (const auto& answer : os::run_all(questions)) {
    for (const std::string& figure : parse_quota(answer.out)) {
      if (std::find(figures.begin(), figures.end(), figure) == figures.end()) figures.push_back(figure);
    }
  }
  return figures;
}

std::vector<std::string> nearly_full(const std::string& site_command, const std::vector<std::string>& folders,
                                     const std::string& asked) {
  namespace fs = std::filesystem;
  constexpr double much = 0.9;
  std::error_code never;
  const auto age = fs::file_time_type::clock::now() - fs::last_write_time(asked, never);
  if (!never && age >= age.zero() && age < std::chrono::hours(1)) return {};
  auto figures = quota_figures(site_command, folders, std::chrono::seconds(2));
  std::erase_if(figures, [](const std::string& figure) { return share_of_quota(figure).value_or(0) < much; });
  if (figures.empty()) os::replace_file(asked, "");
  return figures;
}

}  // namespace rv::cli
