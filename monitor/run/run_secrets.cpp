#include "monitor/run/run_secrets.h"

#include <fmt/format.h>
#include <unistd.h>

#include <sstream>

#include "base/os/atomic_file.h"
#include "base/os/listing.h"

namespace rv::monitor {
namespace {

constexpr std::string_view head = "rv_own_names=(";

std::string path_of(const RunFolder& folder) {
  return folder.file("environment");
}

}  // namespace

std::string names_line(const std::vector<std::string>& names) {
  std::string line(head);
  for (const auto& name : names) line += (line.size() == head.size() ? "" : " ") + name;
  return line + ")\n";
}

void write_environment(const RunFolder& folder, const std::string& script) {
  os::write_file(path_of(folder), script);
}

std::vector<std::string> environment_names(const RunFolder& folder) {
  const std::string text = os::read_file(path_of(folder)).value_or("");
  const std::size_t end = text.find(")\n");
  if (!text.starts_with(head) || end == std::string::npos) return {};
  std::istringstream line(text.substr(head.size(), end - head.size()));
  std::vector<std::string> names;
  for (std::string name; line >> name;) names.push_back(name);
  return names;
}

void remove_environment(const RunFolder& folder) {
  ::unlink(path_of(folder).c_str());
  // Earlier versions of rv kept the values in the configuration of each ssh connection, too.
  const std::string connections = folder.file("ssh");
  for (const auto& name : os::names_in(connections)) {
    ::unlink(fmt::format("{}/{}/config", connections, name).c_str());
  }
}

}  // namespace rv::monitor
