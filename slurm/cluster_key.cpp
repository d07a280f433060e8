#include "slurm/cluster_key.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string_view>

#include "base/variable.h"
#include "shared/fnv1a.h"
#include "slurm/parse/field.h"

namespace rv::slurm {
namespace {

namespace fs = std::filesystem;

constexpr int most_includes = 5;  // one in another

std::optional<std::string> content(const fs::path& path) {
  std::error_code fault;
  if (!fs::is_regular_file(path, fault)) return std::nullopt;
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (!file.is_open() || file.bad()) return std::nullopt;
  return text;
}

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), [](unsigned char c) { return std::tolower(c); });
  return out;
}

// Without its comment, and without blanks around "=".
std::string plain(std::string_view line) {
  std::string out;
  for (const char c : line.substr(0, line.find('#'))) {
    const bool blank = std::isspace(static_cast<unsigned char>(c)) != 0;
    if (blank && (out.empty() || out.back() == ' ' || out.back() == '=')) continue;
    if (c == '=' && !out.empty() && out.back() == ' ') out.pop_back();
    out += blank ? ' ' : c;
  }
  while (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

// The lines "clustername=…", "slurmctldhost=…" and their like, in the order of the file.
void add_names(const fs::path& path, std::string_view text, int includes, std::string& names) {
  constexpr std::array<std::string_view, 5> keys = {"clustername", "slurmctldhost", "controlmachine",
                                                    "backupcontroller", "slurmctldport"};
  while (!text.empty()) {
    const std::string line = plain(next_line(text));
    if (lower(line.substr(0, 8)) == "include ") {
      const fs::path other = path.parent_path() / line.substr(8);
      if (const auto included = content(other); included && includes > 0) {
        add_names(other, *included, includes - 1, names);
      }
      continue;
    }
    for (const auto word : split(line, ' ')) {
      const auto equals = word.find('=');
      if (equals == std::string_view::npos) continue;
      const std::string key = lower(word.substr(0, equals));
      if (std::find(keys.begin(), keys.end(), key) == keys.end()) continue;
      names += key + '=' + lower(word.substr(equals + 1)) + '\n';
    }
  }
}

// Where Slurm's commands lie tells for which folder they were built, as a rule.
std::vector<fs::path> beside_commands(const std::string& root) {
  std::vector<fs::path> found;
  const std::string searched = variable("PATH");
  for (const auto folder : split(searched, ':')) {
    const fs::path command = fs::path(folder) / "scontrol";
    if (folder.empty() || ::access(command.c_str(), X_OK) != 0) continue;
    std::error_code fault;
    const fs::path prefix = fs::canonical(command, fault).parent_path().parent_path();
    // Those of the system have theirs in /etc.
    if (!fault && prefix != "/usr" && prefix != "/")
      found = {prefix / "etc/slurm.conf", prefix / "etc/slurm/slurm.conf"};
    break;
  }
  for (const auto* path : {"/etc/slurm/slurm.conf", "/etc/slurm-llnl/slurm.conf", "/usr/local/etc/slurm.conf",
                           "/run/slurm/conf/slurm.conf"}) {
    found.emplace_back(root + path);
  }
  return found;
}

std::string identity(const std::string& root) {
  const std::string given = variable("SLURM_CONF");
  const auto places = given.empty() ? beside_commands(root) : std::vector<fs::path>{given};
  for (const auto& place : places) {
    const auto text = content(place);
    if (!text) continue;
    std::string names;
    add_names(place, *text, most_includes, names);
    // A file without names is identified by its path and content.
    return names.empty() ? place.string() + '\n' + *text : names;
  }
  if (!given.empty()) return "file " + given;
  if (const std::string server = variable("SLURM_CONF_SERVER"); !server.empty()) return "server " + server;
  return "dns " + content(root + "/etc/resolv.conf").value_or("");
}

}  // namespace

std::string cluster_key(const std::string& root) {
  std::array<char, 17> digits{};
  std::snprintf(digits.data(), digits.size(), "%016llx", static_cast<unsigned long long>(fnv1a(identity(root))));
  return digits.data();
}

}  // namespace rv::slurm
