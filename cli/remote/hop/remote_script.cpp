#include "cli/remote/hop/remote_script.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/embedded_file.h"
#include "base/error.h"
#include "base/quote.h"
#include "base/text.h"

namespace rv::remote {

namespace {

std::string_view text_of(std::string_view name) {
  for (const EmbeddedFile& file : embedded::remote_scripts()) {
    if (file.name == name) return file.text;
  }
  throw Error(fmt::format("no script {} in this binary", name), "this is a bug in rv: please report it");
}

/// The lines without comments and indent, joined by blanks.
std::string one_line(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    if (line.empty() || line.front() == '#') continue;
    out += (out.empty() ? "" : " ") + std::string(line);
  }
  return out;
}

}  // namespace

std::string remote_command(std::string_view script, const std::vector<std::string>& words) {
  std::string out = fmt::format("exec /bin/sh -c '{}' rv", one_line(text_of(script)));
  for (const std::string& word : words) {
    if (!is_plain_word(word)) {
      throw Error(fmt::format("\"{}\" can't be passed to the login node", word),
                  "use letters, digits and - _ . / + , : @ in it", ExitCode::usage);
    }
    out += " " + word;
  }
  return out;
}

}  // namespace rv::remote
