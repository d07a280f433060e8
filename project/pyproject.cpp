#include "project/pyproject.h"

#include <sstream>
#include <string>

namespace rv::project {
namespace {

std::string without_blanks(std::string_view line) {
  std::string text;
  for (const char c : line) {
    if (c == '#') break;
    if (c != ' ' && c != '\t' && c != '\r') text += c;
  }
  return text;
}

}  // namespace

Pyproject scan_pyproject(std::string_view text) {
  enum class List { none, dependencies, dynamic };
  Pyproject found;
  bool in_project = false;
  List list = List::none;  // that the last line left open
  std::istringstream lines{std::string(text)};
  for (std::string raw; std::getline(lines, raw);) {
    std::string line = without_blanks(raw);
    if (list == List::none) {
      if (line.starts_with('[')) {
        in_project = line == "[project]";
        if (line == "[build-system]") found.package = true;
        continue;
      }
      if (!in_project) continue;
      if (line.starts_with("dependencies=")) {
        list = List::dependencies;
      } else if (line.starts_with("dynamic=")) {
        list = List::dynamic;
      } else {
        continue;
      }
      line = line.substr(line.find('=') + 1);
    }
    const bool named = line.find_first_of("\"'") != std::string::npos;
    const bool itself =
        line.find("\"dependencies\"") != std::string::npos || line.find("'dependencies'") != std::string::npos;
    if (list == List::dependencies ? named : itself) found.dependencies = true;
    if (line.ends_with(']')) list = List::none;
  }
  return found;
}

}  // namespace rv::project
