#include "workers/health/node_facts.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <fstream>
#include <functional>

namespace rv::workers {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t longest_fact = 200;  // bytes

/// Calls `use` with each line of a file, until it returns false.
void for_each_line(const fs::path& path, const std::function<bool(const std::string&)>& use) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (!use(line)) return;
  }
}

std::string trimmed(const std::string& text) {
  const auto begin = text.find_first_not_of(" \t\r\"");
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find_last_not_of(" \t\r\"") - begin + 1).substr(0, longest_fact);
}

std::string first_line(const fs::path& path) {
  std::string text;
  for_each_line(path, [&](const std::string& line) {
    text = trimmed(line);
    return false;
  });
  return text;
}

/// What stands behind `key` and `separator` in the first line that begins with the key.
std::string value_of(const fs::path& path, const std::string& key, char separator) {
  std::string value;
  for_each_line(path, [&](const std::string& line) {
    const auto at = line.find(separator);
    if (!line.starts_with(key) || at == std::string::npos || trimmed(line.substr(0, at)) != key) return true;
    value = trimmed(line.substr(at + 1));
    return false;
  });
  return value;
}

int count_of_lines(const fs::path& path, const std::string& beginning) {
  int count = 0;
  for_each_line(path, [&](const std::string& line) {
    if (line.starts_with(beginning)) ++count;
    return true;
  });
  return count;
}

int numa_nodes(const fs::path& folder) {
  int count = 0;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    const auto name = entry->path().filename().string();
    if (name.starts_with("node") && name.find_first_not_of("0123456789", 4) == std::string::npos) ++count;
  }
  return count;
}

/// "1056123456 kB" → "1007 GiB". Nodes with equal modules differ by a few MiB that the kernel keeps.
std::string whole_gib(const std::string& text) {
  std::uint64_t kib = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), kib);
  if (parsed.ec != std::errc()) return "";
  return fmt::format("{} GiB", std::llround(static_cast<double>(kib) / (1 << 20)));
}

}  // namespace

std::map<std::string, std::string> node_facts(const fs::path& root) {
  std::map<std::string, std::string> facts;
  const auto add = [&](const char* name, std::string value) {
    if (!value.empty() && value != "0") facts[name] = std::move(value);
  };
  const auto dmi = root / "sys/class/dmi/id";
  add("kernel", first_line(root / "proc/sys/kernel/osrelease"));
  add("os", value_of(root / "etc/os-release", "PRETTY_NAME", '='));
  add("bios", trimmed(first_line(dmi / "bios_version") + " " + first_line(dmi / "bios_date")));
  add("board", first_line(dmi / "board_name"));
  add("cpu", value_of(root / "proc/cpuinfo", "model name", ':'));
  add("cpus", std::to_string(count_of_lines(root / "proc/cpuinfo", "processor")));
  add("numa_nodes", std::to_string(numa_nodes(root / "sys/devices/system/node")));
  add("memory", whole_gib(value_of(root / "proc/meminfo", "MemTotal", ':')));
  add("ofed", first_line(root / "sys/module/mlx5_core/version"));
  return facts;
}

}  // namespace rv::workers
