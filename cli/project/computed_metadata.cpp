#include "cli/project/computed_metadata.h"

#include <algorithm>
#include <array>
#include <sstream>
#include <string_view>

#include "base/trimmed.h"

namespace rv::project {

bool computes(const std::string& setup) {
  constexpr std::array<std::string_view, 8> words{"open(",  "read",       "exec(",         "environ",
                                                  "getenv", "subprocess", "import_module", "glob"};
  return std::any_of(words.begin(), words.end(), [&](auto word) { return setup.find(word) != std::string::npos; });
}

std::vector<std::string> quoted_texts(const std::string& program) {
  std::vector<std::string> found;
  for (std::size_t at = program.find_first_of("\"'"); at != std::string::npos; at = program.find_first_of("\"'", at)) {
    const auto end = program.find(program[at], at + 1);
    if (end == std::string::npos) break;
    const auto quoted = program.substr(at + 1, end - at - 1);
    if (!quoted.empty() && quoted.size() < 200 && quoted.find_first_of("\n<>=*") == std::string::npos) {
      found.push_back(quoted);
    }
    at = end + 1;
  }
  return found;
}

std::vector<std::string> files_in_setup_cfg(const std::string& text) {
  std::vector<std::string> files;
  for (auto at = text.find("file:"); at != std::string::npos; at = text.find("file:", at + 5)) {
    const auto rest = text.substr(at + 5, text.find('\n', at) - at - 5);
    std::istringstream words(rest);
    for (std::string word; std::getline(words, word, ',');) {
      if (const auto file = trimmed(word); !file.empty()) files.emplace_back(file);
    }
  }
  return files;
}

}  // namespace rv::project
