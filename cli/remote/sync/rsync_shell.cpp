#include "cli/remote/sync/rsync_shell.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <charconv>

#include "cli/remote/hop/hop.h"
#include "cli/remote/hop/marks.h"

namespace rv::sync {

namespace {

constexpr std::array<std::pair<RsyncTarget, std::string_view>, 4> places{{{RsyncTarget::receive, "receive"},
                                                                          {RsyncTarget::look, "look"},
                                                                          {RsyncTarget::output, "output"},
                                                                          {RsyncTarget::logs, "logs"}}};

/// A word for rsync's own reading of -e, which knows quotes but no backslashes: '' in single quotes is one quote.
std::string in_quotes(std::string_view word) {
  std::string out = "'";
  for (const char character : word) out += character == '\'' ? std::string("''") : std::string(1, character);
  return out + "'";
}

}  // namespace

std::string target_name(RsyncTarget place) {
  for (const auto& [known, word] : places) {
    if (known == place) return std::string(word);
  }
  return {};
}

RsyncTarget target_of(std::string_view word) {
  for (const auto& [known, name] : places) {
    if (name == word) return known;
  }
  throw Error("the arguments after --rsh or --rsync were not written by rv", "use rv sync", ExitCode::usage);
}

std::string rsync_shell(const RsyncShellArguments& words) {
  // Not by its path, which may hold anything and may have been replaced since this process began.
  return fmt::format("/proc/{}/exe --rsh {} {} {} {} {}", ::getpid(), words.token, in_quotes(words.host),
                     in_quotes(words.home), target_name(words.place), in_quotes(words.name));
}

int run_rsync_shell(const std::vector<std::string>& words) {
  // --rsh TOKEN HOST HOME PLACE NAME, then what rsync adds: its name for the host, and the command.
  constexpr std::size_t own = 6;
  if (words.size() < own + 2) throw Error("only rsync may use --rsh", "use rv sync", ExitCode::usage);
  const std::string& token = words[1];
  std::vector<std::string> there{"--rsync", token, words[4], words[5]};
  there.insert(there.end(), words.begin() + own + 1, words.end());
  try {
    return remote::run_there({.host = words[2],
                              .cluster_home = words[3] == "-" ? "" : words[3],
                              .folder = "",
                              .words = there,
                              .follows = false,
                              .terminal = {},
                              .installed =
                                  [&] {
                                    // ssh may have read from rsync before a receiver existed.
                                    say_on_stderr(token, "installed");
                                    return 1;
                                  },
                              .dialogue = true});
  } catch (const Error& error) {
    say_on_stderr(token, failure_words(error));
    return static_cast<int>(error.code());
  }
}

std::string failure_words(const Error& error) {
  return fmt::format("failed {}\n{}\n{}", static_cast<int>(error.code()), error.what(), error.advice());
}

std::optional<Error> parse_failure(std::string_view words) {
  constexpr std::string_view first = "failed ";
  if (!words.starts_with(first)) return std::nullopt;
  words.remove_prefix(first.size());
  int code = 0;
  std::from_chars(words.data(), words.data() + words.size(), code);
  words.remove_prefix(std::min(words.find('\n'), words.size() - 1) + 1);
  const std::size_t end = std::min(words.rfind('\n'), words.size());
  const std::string_view advice = words.substr(std::min(end + 1, words.size()));
  return Error(std::string(words.substr(0, end)), std::string(advice), static_cast<ExitCode>(code));
}

void say_on_stderr(const std::string& token, const std::string& words) {
  const std::string bytes = remote::mark(token, words);
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, bytes.data(), bytes.size());
}

}  // namespace rv::sync
