#include "cli/project/starting.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

#include "base/quote.h"

namespace rv::project {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 6> programs{
    {{".py", "python3"}, {".sh", "bash"}, {".bash", "bash"}, {".jl", "julia"}, {".R", "Rscript"}, {".r", "Rscript"}}};

constexpr std::string_view blanks = " \t\n";
constexpr std::string_view shell_syntax = ";|&<>()$*?\"'`\\[]{}~#!";

bool starts_by_itself(const FileProperties& file) {
  return file.executable && (file.head.starts_with("#!") || file.head.starts_with("\x7f"
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
  std::optional<Error> fault;
};

Program as_is(const std::string& name) {
  return {{}, name, "", std::nullopt};
}

Program refused(const std::string& name, const std::string& fault, const std::string& advice) {
  return {{}, name, "", Error(name + " " + fault, advice, ExitCode::usage)};
}

bool has_windows_first_line(const FileProperties& file) {
  return file.head.starts_with("#!") && file.head.substr(0, file.head.find('\n')).find('\r') != std::string::npos;
}

/// Whether the kernel can start a file by itself.
Program started_by_itself(const std::string& name, const FileProperties& seen, bool in_this_folder) {
  if (has_windows_first_line(seen)) {
    return refused(name, "has Windows line ends: the program that its #! line names does not exist",
                   "remove them: sed -i 's/\\r$//' " + quote(name));
  }
  if (!in_this_folder) return as_is(name);
  return {{}, "./" + name, name + " is executable and in this folder", std::nullopt};
}

Program started_by_its_first_line(const std::string& name, const FileProperties& seen) {
  if (has_windows_first_line(seen)) return started_by_itself(name, seen, false);
  auto words = first_line_program(seen.head);
  if (!words.empty()) {
    return {std::move(words), name, name + " is not executable, and its #! line names the program", std::nullopt};
  }
  if (seen.head.starts_with("\x7f"
                            "ELF")) {
    return refused(name, "is a program that is not executable", "chmod +x " + quote(name));
  }
  return refused(name, "is not executable and has no #! line",
                 "name its program: rv run bash " + quote(name) + "; or write #!/bin/bash as its first line");
}

Program started(const std::string& name, const ReadProperties& read) {
  const FileProperties seen = read(name);
  const bool bare = name.find('/') == std::string::npos;
  if (!bare && seen.folder) return refused(name, "is a folder", "name a program or a script in it");
  if (!seen.file) {
    // An absolute path may exist on the nodes, and a bare name may be a program on the nodes.
    if (bare || name.starts_with('/')) return as_is(name);
    return refused(name, "does not exist",
                   "correct the path; a relative path starts in the folder where you call rv run");
  }
  const auto program = program_for(name);
  // Without an ending a bare name is a command of PATH, as in every shell.
  if (bare && !program && (seen.on_path || name.find('.') == std::string::npos)) return as_is(name);
  if (starts_by_itself(seen)) return started_by_itself(name, seen, bare);
  if (program) {
    return {
        {std::string(*program)},
        name,
        fmt::format("{} {}; rv starts {} files with {}", name, seen.executable ? "has no #! line" : "is not executable",
                    std::filesystem::path(name).extension().string(), *program),
        std::nullopt};
  }
  if (!seen.executable) return started_by_its_first_line(name, seen);
  return as_is(bare ? "./" + name : name);
}

bool is_variable(std::string_view word) {
  const auto equals = word.find('=');
  if (equals == std::string_view::npos || equals == 0 || (word.front() >= '0' && word.front() <= '9')) return false;
  return std::all_of(word.begin(), word.begin() + static_cast<std::ptrdiff_t>(equals), [](char c) {
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
  });
}

Error no_program() {
  return {"the command sets variables and starts no program", "write the program after them: rv run X=1 python3 t.py",
          ExitCode::usage};
}

/// The script that the words start: the first, or what a shell is given.
std::string script_of_shell(const std::vector<std::string>& words) {
  constexpr std::array<std::string_view, 7> shells{"bash", "sh", "dash", "ksh", "zsh", "csh", "tcsh"};
  if (words.empty()) return "";
  const auto name = words.front().substr(words.front().rfind('/') + 1);
  if (std::find(shells.begin(), shells.end(), name) == shells.end()) return words.front();
  const auto script =
      std::find_if(words.begin() + 1, words.end(), [](const auto& word) { return !word.starts_with('-'); });
  return script == words.end() ? "" : *script;
}

std::vector<std::string> notes_of(const std::vector<std::string>& words, const ReadProperties& read) {
  const auto script = script_of_shell(words);
  const auto seen = script.empty() ? FileProperties{} : read(script);
  if (!seen.file || seen.head.find("\n#SBATCH") == std::string::npos) return {};
  return {"the #SBATCH lines of " + script + " are ignored: use rv's own options, see rv run --help"};
}

Starting started_line(std::vector<std::string> argv, const std::vector<std::string>& interpreter,
                      const ReadProperties& read) {
  std::string& text = argv.back();
  bool whole = true;
  auto words = plain_words(text, &whole);
  const auto variables = leading_variables(words);
  std::size_t begin = text.find_first_not_of(blanks);
  for (std::size_t i = 0; i < variables; ++i) {
    begin = text.find_first_not_of(blanks, begin + words[i].size());
  }
  words.erase(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(variables));
  if (words.empty() && variables > 0 && whole) return {std::move(argv), "", {}, no_program()};
  if (!interpreter.empty()) {
    text.insert(variables == 0 || begin == std::string::npos ? 0 : begin, quote_all(interpreter) + " ");
    return {std::move(argv), "--interpreter", {}, std::nullopt};
  }
  if (words.empty()) return {std::move(argv), "", {}, std::nullopt};
  Program program = started(words.front(), read);
  auto notes = notes_of(words, read);
  if (program.why.empty()) return {std::move(argv), "", std::move(notes), std::move(program.fault)};
  std::string first = program.before.empty() ? "" : quote_all(program.before) + " ";
  first += quote(program.name);
  text.replace(begin, words.front().size(), first);
  return {std::move(argv), std::move(program.why), std::move(notes), std::move(program.fault)};
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
  // A word that shell syntax cuts in two is dropped.
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

std::vector<std::string> words_of_command(const std::vector<std::string>& typed, const ReadProperties& read) {
  if (typed.size() != 1 || typed.front().find_first_of(blanks) == std::string::npos || read(typed.front()).file) {
    return typed;
  }
  return plain_words(typed.front());
}

std::size_t leading_variables(const std::vector<std::string>& words) {
  const auto program = std::find_if_not(words.begin(), words.end(), is_variable);
  return static_cast<std::size_t>(program - words.begin());
}

Starting starting(std::vector<std::string> argv, bool line, const std::vector<std::string>& interpreter,
                  const ReadProperties& read) {
  if (argv.empty()) return {};
  if (line) return started_line(std::move(argv), interpreter, read);
  const auto variables = static_cast<std::ptrdiff_t>(leading_variables(argv));
  std::vector<std::string> before;
  if (variables > 0) {
    before.emplace_back("env");
    before.insert(before.end(), argv.begin(), argv.begin() + variables);
    argv.erase(argv.begin(), argv.begin() + variables);
    if (argv.empty()) return {std::move(before), "", {}, no_program()};
  }
  Starting made{.argv = {}, .why = {}, .notes = notes_of(argv, read), .fault = std::nullopt};
  if (!interpreter.empty()) {
    made.why = "--interpreter";
    before.insert(before.end(), interpreter.begin(), interpreter.end());
  } else {
    Program program = started(argv.front(), read);
    made.why = std::move(program.why);
    made.fault = std::move(program.fault);
    argv.front() = std::move(program.name);
    before.insert(before.end(), program.before.begin(), program.before.end());
  }
  if (made.why.empty() && variables > 0) made.why = "the arguments before the program are variables";
  made.argv = std::move(before);
  made.argv.insert(made.argv.end(), argv.begin(), argv.end());
  return made;
}

Starting starting_as_typed(std::vector<std::string> argv, const ReadProperties& read) {
  Starting made{.argv = std::move(argv), .why = {}, .notes = {}, .fault = std::nullopt};
  if (made.argv.empty()) return made;
  const auto& name = made.argv.front();
  const FileProperties seen = read(name);
  if (name.find('/') == std::string::npos) {
    if (is_variable(name) && !seen.file && !seen.on_path) {
      made.fault.emplace(name + " is a variable, but after -- the first argument is the program",
                         "remove --, or write env before it", ExitCode::usage);
    }
    return made;
  }
  if (seen.folder) {
    made.fault = started(name, read).fault;
  } else if (seen.file && !seen.executable) {
    made.fault.emplace(name + " is not executable, and after -- rv adds no interpreter",
                       "chmod +x " + quote(name) + ", or remove --", ExitCode::usage);
  }
  return made;
}

}  // namespace rv::project
