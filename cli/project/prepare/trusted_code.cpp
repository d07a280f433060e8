#include "cli/project/prepare/trusted_code.h"

#include <fmt/format.h>

#include "base/os/atomic_file.h"
#include "base/text.h"
#include "shared/sha256.h"

namespace rv::project {
namespace {

/// The lines with their lengths, so that two lists never have the same text.
std::string text_of(const std::vector<std::string>& code) {
  std::string text;
  for (const auto& line : code) text += fmt::format("{} {}\n", line.size(), line);
  return text;
}

std::string file_of(const std::string& home, const std::string& text) {
  return home + "/trusted/" + sha256_hex(text);
}

}  // namespace

bool is_trusted_code(const std::string& home, const std::vector<std::string>& code) {
  if (code.empty()) return true;
  const std::string text = text_of(code);
  return os::read_file(file_of(home, text)) == text;
}

void trust_code(const std::string& home, const std::vector<std::string>& code) {
  const std::string text = text_of(code);
  os::make_folder(home + "/trusted");
  os::write_file(file_of(home, text), text);
}

}  // namespace rv::project
