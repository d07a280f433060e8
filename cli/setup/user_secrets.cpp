#include "cli/setup/user_secrets.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>

#include "base/error.h"
#include "base/os/atomic_file.h"
#include "base/quote.h"
#include "monitor/run/run_secrets.h"

namespace rv::cli {
namespace {

// A single word of an environment may have 128 KiB on Linux.
constexpr std::size_t longest_value = 100'000;

std::string folder_of(const std::string& home) {
  return home + "/env";
}

bool is_name(std::string_view name) {
  if (name.empty() || name.size() > 200 || std::isdigit(static_cast<unsigned char>(name.front())) != 0) return false;
  return std::all_of(name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
}

// Variables that Slurm, bash and the job's script use themselves. Those from DIRSTACK on have a meaning in bash: it
// evaluates or ignores what they are set to, or they change how it reads, globs and looks for commands.
bool is_taken(std::string_view name) {
  constexpr std::array<std::string_view, 9> prefixes = {"SLURM_", "SLURMD_", "SBATCH_", "SRUN_", "RV_",
                                                        "rv_",    "BASH",    "LC_",     "LD_"};
  constexpr std::array<std::string_view, 34> words = {
      "PATH",       "HOME",   "USER",       "SHELL",          "PWD",           "OLDPWD",
      "IFS",        "UID",    "EUID",       "PPID",           "LANG",          "SHELLOPTS",
      "ENV",        "chain",  "_",          "DIRSTACK",       "EPOCHSECONDS",  "FUNCNAME",
      "GLOBIGNORE", "GROUPS", "EXECIGNORE", "HISTCMD",        "EPOCHREALTIME", "LINENO",
      "OPTARG",     "OPTERR", "OPTIND",     "PIPESTATUS",     "RANDOM",        "SECONDS",
      "SRANDOM",    "TMOUT",  "CDPATH",     "POSIXLY_CORRECT"};
  return std::find(words.begin(), words.end(), name) != words.end() ||
         std::any_of(prefixes.begin(), prefixes.end(), [&](auto prefix) { return name.starts_with(prefix); });
}

/// Reads a .env file from left to right. Messages name places, never what stands there.
class EnvFileReader {
 public:
  EnvFileReader(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  NamedValues read() {
    NamedValues values;
    while (at_ < text_.size()) {
      skip_blanks();
      if (at_ < text_.size() && peek() != '\n' && peek() != '#') values.push_back(assignment());
      skip_comment();
    }
    return values;
  }

 private:
  [[noreturn]] void refuse(const std::string& fault) const {
    throw Error(fmt::format("{}:{}: {}", file_, line_, fault), "lines have the form NAME=value or NAME=\"a value\"",
                ExitCode::usage);
  }

  char peek() const { return text_[at_]; }
  char take() {
    if (text_[at_] == '\n') ++line_;
    return text_[at_++];
  }
  void skip_blanks() {
    while (at_ < text_.size() && (peek() == ' ' || peek() == '\t' || peek() == '\r')) ++at_;
  }
  /// Reads to the end of the line, which may only have a comment.
  void skip_comment() {
    skip_blanks();
    if (at_ < text_.size() && peek() == '#') at_ = std::min(text_.find('\n', at_), text_.size());
    if (at_ < text_.size() && take() != '\n') refuse("unexpected text after the closing quote");
  }

  std::string word() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(peek())) != 0 || peek() == '_')) ++at_;
    return std::string(text_.substr(begin, at_ - begin));
  }

  std::pair<std::string, std::string> assignment() {
    std::string name = word();
    skip_blanks();
    if (name == "export" && at_ < text_.size() && peek() != '=') {
      name = word();
      skip_blanks();
    }
    if (name.empty() || at_ == text_.size() || peek() != '=') refuse("expected a NAME=value");
    ++at_;
    skip_blanks();
    return {std::move(name), value()};
  }

  std::string value() {
    if (at_ == text_.size()) return {};
    if (peek() == '\'' || peek() == '"') return quoted(take());
    // Up to a comment that has a blank before it; blanks at the end do not count.
    std::string_view line = text_.substr(at_, std::min(text_.find('\n', at_), text_.size()) - at_);
    line = line.substr(0, std::min({line.find(" #"), line.find("\t#"), line.size()}));
    at_ += line.size();
    const std::size_t end = line.find_last_not_of(" \t\r");
    return std::string(line.substr(0, end == std::string_view::npos ? 0 : end + 1));
  }

  std::string quoted(char quote) {
    const int begun = line_;
    std::string out;
    while (at_ < text_.size()) {
      const char c = take();
      if (c == quote) return out;
      out += quote == '"' && c == '\\' && at_ < text_.size() ? unescaped(take()) : std::string(1, c);
    }
    line_ = begun;
    refuse("a quote is not closed");
  }

  static std::string unescaped(char c) {
    switch (c) {
      case 'n':
        return "\n";
      case 'r':
        return "\r";
      case 't':
        return "\t";
      case '\\':
      case '"':
      case '$':
      case '`':
        return {c};
      default:
        return {'\\', c};
    }
  }

  std::string_view text_;
  const std::string& file_;
  std::size_t at_ = 0;
  int line_ = 1;
};

}  // namespace

std::vector<UserSecret> user_secrets(const std::string& home) {
  std::vector<UserSecret> variables;
  std::error_code fault;
  for (const auto& entry : std::filesystem::directory_iterator(folder_of(home), fault)) {
    struct stat status = {};
    UserSecret variable{.name = entry.path().filename().string(), .bytes = 0, .set = {}};
    if (!is_name(variable.name) || ::lstat(entry.path().c_str(), &status) != 0 || !S_ISREG(status.st_mode)) continue;
    variable.bytes = static_cast<std::uintmax_t>(status.st_size);
    variable.set = std::chrono::sys_seconds(std::chrono::seconds(status.st_mtime));
    variables.push_back(std::move(variable));
  }
  std::sort(variables.begin(), variables.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return variables;
}

void check_user_secret(const std::string& name, std::string_view value) {
  if (!is_name(name)) {
    throw Error("that is not the name of a variable", "use letters, digits and _, no digit first", ExitCode::usage);
  }
  if (is_taken(name)) {
    throw Error(fmt::format("{} has a meaning for the shell, Slurm or rv", name),
                "lines of shell before each command belong under setup in the settings", ExitCode::usage);
  }
  if (value.size() > longest_value || value.find('\0') != std::string_view::npos) {
    throw Error(
        fmt::format("{}: the value is {}", name,
                    value.size() > longest_value ? "longer than 100,000 bytes" : "not text (it has a NUL byte)"),
        "write it to a file, and its path to the variable", ExitCode::usage);
  }
}

void set_user_secret(const std::string& home, const std::string& name, std::string_view value) {
  check_user_secret(name, value);
  os::make_folder(folder_of(home));
  ::chmod(folder_of(home).c_str(), 0700);
  os::write_file(folder_of(home) + "/" + name, value);
}

bool remove_user_secret(const std::string& home, const std::string& name) {
  return is_name(name) && ::unlink((folder_of(home) + "/" + name).c_str()) == 0;
}

std::string user_secrets_script(const std::string& home) {
  std::vector<std::string> names;
  std::string lines;
  for (const UserSecret& variable : user_secrets(home)) {
    const auto value = os::read_file(folder_of(home) + "/" + variable.name);
    if (!value) continue;  // removed this moment
    names.push_back(variable.name);
    lines += fmt::format("export {}={}\n", variable.name, quote(*value));
  }
  return names.empty() ? "" : monitor::names_line(names) + lines;
}

NamedValues parse_env_file(std::string_view text, const std::string& file) {
  return EnvFileReader(text, file).read();
}

std::string to_env_file(const NamedValues& values) {
  std::string text;
  for (const auto& [name, value] : values) {
    text += name + "=\"";
    for (const char c : value) {
      if (c == '\\' || c == '"' || c == '$' || c == '`') text += '\\';
      text += c;
    }
    text += "\"\n";
  }
  return text;
}

}  // namespace rv::cli
