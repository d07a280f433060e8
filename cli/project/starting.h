// Which program runs a script of the user. Works on values; a function reports the properties of files.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace rv::project {

/// The properties of a path that decide how it is started.
struct FileProperties {
  bool file = false;        // a regular file
  bool executable = false;  // for this user
  std::string head;         // its first bytes, up to a few thousand
  bool folder = false;
  bool on_path = false;  // of a name without a slash: a program of this machine's PATH is called so
};
using ReadProperties = std::function<FileProperties(const std::string& path)>;

/// "python3" for train.py, "bash", "julia", "Rscript"; nothing for a name without a known ending.
std::optional<std::string_view> program_for(std::string_view script);

/// The words of a shell line before any shell syntax but blanks: "torchrun", "--n=4", "train.py" of "torchrun --n=4
/// train.py && echo". `whole`, where given, says whether that was all of the line.
std::vector<std::string> plain_words(std::string_view line, bool* whole = nullptr);

/// The arguments that are searched for scripts: an argument vector itself, of one word with blanks its plain
/// words.
std::vector<std::string> words_of_command(const std::vector<std::string>& typed, const ReadProperties& read);

struct Starting {
  std::vector<std::string> argv;
  std::string why;                 // what was added and for what reason, for people; empty: it runs as typed
  std::vector<std::string> notes;  // one line each: what of the script is not used
  std::optional<Error> fault;      // it certainly can't start: the program is a folder, is not executable, …
};

/// How many words before the program are variables: "CUDA_VISIBLE_DEVICES=0" of {"CUDA_VISIBLE_DEVICES=0", "python3"}.
std::size_t leading_variables(const std::vector<std::string>& words);

/// `argv` is an argument vector, or {"bash", "-c", line} for a shell line that was typed as one word (`line`: true),
/// whose first program is then judged. Variables before the program are set by env. A script that can run by itself (it
/// is executable and says how, by a "#!" line or by being machine code) stays as it is, but for the "./" that a bare
/// name in this folder needs. Any other with a known ending gets its program, and one with a "#!" line what that names.
/// `interpreter`: arguments that the user puts before any command. A program that may be on the nodes only
/// is never a fault.
Starting starting(std::vector<std::string> argv, bool line, const std::vector<std::string>& interpreter,
                  const ReadProperties& read);

/// The same where nothing may be added: `argv` itself, and the fault of a program that can't be executed.
Starting starting_as_typed(std::vector<std::string> argv, const ReadProperties& read);

}  // namespace rv::project
