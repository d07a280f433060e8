#include "project/starting.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/quote.h"

namespace rv::project {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 6> programs{
    {{".py", "python3"}, {".sh", "bash"}, {".bash", "bash"}, {".jl", "julia"}, {".R", "Rscript"}, {".r", "Rscript"}}};

constexpr std::string_view blanks = " \t\n";
constexpr std::string_view shell_syntax = ";|&<>()$*?\"'`\\[]{}~#!";

bool starts_by_itself(const FileLook& look) {
  return look.executable && (look.head.starts_with("#!") || look.head.starts_with("\x7f"
                                                                                  "ELF"));
}

/// The words of a "#!" line: "/usr/bin/env", "python3".
std::vector<std::string> first_line_program(std::string_view head) {
  if (!head.starts_with("#!")) return {};
  return plain_words(head.substr(2, std::min(head.find('\n'), head.size()) - 2));
}

struct Program {
  std::vector<std::string> before;  // words to put before it
  std::string name;                 // it, as it is to be called
  std::string why;
};

Program started(const std::string& name, const LookAt& look) {
  const FileLook seen = look(name);
  if (!seen.file) return {{}, name, ""};
  const bool bare = name.find('/') == std::string::npos;
  const auto program = program_for(name);
  if (starts_by_itself(seen)) {
    // Without an ending a bare name is a command of PATH, as in every shell.
    if (!bare || !program) return {{}, name, ""};
    return {{}, "./" + name, name + " is executable and in this folder"};
  }
  if (program) {
    return {{std::string(*program)},
            name,
            name + (seen.executable ? " has no #! line" : " is not executable") + ", and its name ends as " +
                std::string(*program) + "'s do"};
  }
  if (!bare && !seen.executable) {
    auto words = first_line_program(seen.head);
    if (!words.empty()) return {std::move(words), name, name + " is not executable, and its #! line says so"};
  }
  return {{}, name, ""};
}

}  // namespace

std::optional<std::string_view> program_for(std::string_view script) {
  const auto found =
      std::find_if(programs.begin(), programs.end(), [&](const auto& known) { return script.ends_with(known.first); });
  if (found == programs.end() || script.size() == found->first.size()) return std::nullopt;
  return found->second;
}

std::vector<std::string> plain_words(std::string_view line, bool* whole) {
  const std::size_t end = line.find_first_of(shell_syntax);
  if (whole != nullptr) *whole = end == std::string_view::npos;
  std::string_view rest = line.substr(0, end);
  // A word that the syntax cuts in two is none.
  if (end != std::string_view::npos && end > 0 && blanks.find(line[end - 1]) == std::string_view::npos) {
    const std::size_t cut = rest.find_last_of(blanks);
    const bool ends_command = std::string_view(";|&<>").find(line[end]) != std::string_view::npos;
    if (!ends_command) rest = rest.substr(0, cut == std::string_view::npos ? 0 : cut);
  }
  std::vector<std::string> words;
  while (true) {
    const std::size_t begin = rest.find_first_not_of(blanks);
    if (begin == std::string_view::npos) return words;
    rest.remove_prefix(begin);
    const std::size_t length = std::min(rest.find_first_of(blanks), rest.size());
    words.emplace_back(rest.substr(0, length));
    rest.remove_prefix(length);
  }
}

std::vector<std::string> words_of_command(const std::vector<std::string>& typed, const LookAt& look) {
  if (typed.size() != 1 || typed.front().find_first_of(blanks) == std::string::npos || look(typed.front()).file) {
    return typed;
  }
  return plain_words(typed.front());
}

Starting starting(std::vector<std::string> argv, bool line, const std::vector<std::string>& interpreter,
                  const LookAt& look) {
  if (argv.empty()) return {};
  if (!line) {
    if (!interpreter.empty()) {
      argv.insert(argv.begin(), interpreter.begin(), interpreter.end());
      return {std::move(argv), "--interpreter"};
    }
    Program program = started(argv.front(), look);
    argv.front() = std::move(program.name);
    argv.insert(argv.begin(), program.before.begin(), program.before.end());
    return {std::move(argv), std::move(program.why)};
  }
  std::string& text = argv.back();
  if (!interpreter.empty()) {
    text = quote_all(interpreter) + " " + text;
    return {std::move(argv), "--interpreter"};
  }
  const auto words = plain_words(text);
  if (words.empty()) return {std::move(argv), ""};
  Program program = started(words.front(), look);
  if (program.why.empty()) return {std::move(argv), ""};
  const std::size_t begin = text.find(words.front());
  std::string first = program.before.empty() ? "" : quote_all(program.before) + " ";
  first += quote(program.name);
  text = text.substr(0, begin) + first + text.substr(begin + words.front().size());
  return {std::move(argv), std::move(program.why)};
}

}  // namespace rv::project
