#include "cli/project/prepare/run_recipe.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/error.h"
#include "base/os/child.h"
#include "base/os/streamed_command.h"
#include "base/os/terminal.h"
#include "base/quote.h"
#include "base/text.h"
#include "base/variable.h"
#include "shared/system/write_all.h"

namespace rv::project {
namespace {

std::string name_of(const std::string& variable) {
  return variable.substr(0, variable.find('='));
}

std::string set(std::string name, const std::string& value) {
  name += '=';
  name += value;
  return name;
}

std::vector<std::string> environment_for(const Recipe& recipe) {
  auto variables = all_variables();
  const auto has = [&](const std::string& name) {
    return std::any_of(variables.begin(), variables.end(), [&](const auto& one) { return name_of(one) == name; });
  };
  for (const auto& [name, value] : recipe.caches) {
    if (!has(name)) variables.push_back(set(name, value));
  }
  std::erase_if(variables, [&](const std::string& one) {
    const std::string name = name_of(one);
    const auto own = [&](const auto& pair) { return pair.first == name; };
    return contains(recipe.without, name) || std::any_of(recipe.variables.begin(), recipe.variables.end(), own);
  });
  for (const auto& [name, value] : recipe.variables) variables.push_back(set(name, value));
  return variables;
}

/// Returns a command that runs the set-up lines and then the program in one shell, so that the program gets their
/// environment. If rv ends, the shell ends its whole process group: a compiler can be several processes deep.
std::vector<std::string> after_setup(const std::vector<std::string>& setup, const std::vector<std::string>& argv) {
  std::string script = "trap 'trap - TERM; kill -TERM 0' TERM\n(\n";
  for (const auto& line : setup) script += line + "\n";
  script += "exec \"$@\"\n) <&0 &\nwait $!";
  std::vector<std::string> words{"bash", "-c", script, "rv"};
  words.insert(words.end(), argv.begin(), argv.end());
  return words;
}

/// The last line of output, as one line of the terminal.
class Progress {
 public:
  explicit Progress(const RecipePlace& place)
      : shows_(place.terminal.err && !place.quiet), width_(std::max(20, place.terminal.width) - 5) {}
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void saw(std::string_view bytes) {
    if (!shows_) return;
    for (const char byte : bytes) {
      if (byte != '\n' && byte != '\r') {
        line_ += byte;
      } else if (!line_.empty()) {
        show();
        line_.clear();
      }
    }
  }

  void clear() const {
    if (shown_) os::move_cursor(stderr, "\r\033[K");
  }

 private:
  void show() {
    // Cut between characters, not within one.
    std::string text = one_line(line_);
    if (text.size() > static_cast<std::size_t>(width_)) {
      std::size_t end = static_cast<std::size_t>(width_);
      while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
      text.resize(end);
    }
    os::move_cursor(stderr, "\r\033[K");
    fmt::print(stderr, "    {}", text);
    std::fflush(stderr);
    shown_ = true;
  }

  bool shows_;
  int width_;
  bool shown_ = false;
  std::string line_;
};

}  // namespace

RecipeEnd run_recipe(const Recipe& recipe, const RecipePlace& place) {
  const os::Descriptor log(::open(place.log.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
  if (log.number() < 0) {
    throw Error(fmt::format("can't write {}: {}", place.log, std::strerror(errno)), "check whether the disk is full");
  }
  const os::Descriptor nothing = os::null_device();
  const auto environment = environment_for(recipe);
  Progress progress(place);
  for (const auto& step : recipe.steps) {
    // Unchecked: a full disk costs the log, and will show in what the programs do.
    os::write_all(log.number(), "$ " + quote_all(step.argv) + "\n");
    const auto saw = [&](std::string_view bytes) {
      os::write_all(log.number(), bytes);
      progress.saw(bytes);
    };
    const int code = os::run_streamed({.argv = after_setup(place.setup, step.argv),
                                       .environment = environment,
                                       .folder = place.folder,
                                       .input = nothing.number(),
                                       .ends_with_caller = true,
                                       .out = saw,
                                       .err = saw});
    if (code == 0) continue;
    if (code == 127) os::write_all(log.number(), step.argv.front() + ": check that it exists and is executable\n");
    return {code, quote_all(step.argv)};
  }
  return {};
}

}  // namespace rv::project
