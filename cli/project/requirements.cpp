#include "cli/project/requirements.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <sstream>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/text.h"
#include "base/trimmed.h"
#include "base/variable.h"
#include "cli/project/decoded.h"

namespace rv::project {
namespace {

/// The words of an option line, as a shell splits them.
std::vector<std::string> option_words(std::string_view line) {
  std::vector<std::string> words;
  bool within = false;
  char quote = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quote == 0 && (c == ' ' || c == '\t')) {
      within = false;
      continue;
    }
    if (!within) words.emplace_back();
    within = true;
    if (quote == 0 && (c == '"' || c == '\'')) {
      quote = c;
    } else if (c == quote) {
      quote = 0;
    } else if (c == '\\' && quote != '\'' && i + 1 < line.size()) {
      words.back() += line[++i];
    } else {
      words.back() += c;
    }
  }
  return words;
}

/// An option of a line: its spelling, what kind it is, and its value.
struct Option {
  std::string name;
  std::string value;
};

/// "-r x", "-rx", "--requirement x" and "--requirement=x" are all {"-r", "x"}; of others only the name counts.
std::vector<Option> options_of(std::string_view line) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 4> paths{
      {{"--requirement", "-r"}, {"--constraint", "-c"}, {"--find-links", "-f"}, {"--editable", "-e"}}};
  std::vector<Option> options;
  const auto words = option_words(line);
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto& word = words[i];
    const auto equals = word.starts_with("--") ? word.find('=') : std::string::npos;
    Option option{word.substr(0, equals), ""};
    for (const auto& [whole, letter] : paths) {
      const bool joined = word.starts_with(letter) && !word.starts_with("--") && word.size() > 2;
      if (option.name != whole && option.name != letter && !joined) continue;
      option.name = letter;
      option.value = joined                        ? word.substr(word[2] == '=' ? 3 : 2)
                     : equals != std::string::npos ? word.substr(equals + 1)
                     : i + 1 < words.size()        ? words[++i]
                                                   : "";
      break;
    }
    options.push_back(std::move(option));
  }
  return options;
}

const Option* find_option(const std::vector<Option>& options, std::string_view name) {
  const auto found = std::find_if(options.begin(), options.end(), [&](const auto& one) { return one.name == name; });
  return found == options.end() ? nullptr : &*found;
}

/// One line of a file as pip sees it, and where it begins.
struct LogicalLine {
  std::string text;
  int number = 0;
};

std::string without_comment(const std::string& line) {
  for (auto at = line.find('#'); at != std::string::npos; at = line.find('#', at + 1)) {
    if (at == 0 || line[at - 1] == ' ' || line[at - 1] == '\t') return std::string(trimmed(line.substr(0, at)));
  }
  return std::string(trimmed(line));
}

/// A line that ends in a backslash continues on the next one, unless that is a comment (pip's join_lines).
std::vector<LogicalLine> logical_lines(const std::string& text) {
  std::vector<LogicalLine> all;
  std::istringstream lines(text);
  LogicalLine open;
  int number = 0;
  const auto close = [&] {
    open.text = without_comment(open.text);
    if (!open.text.empty()) all.push_back(std::move(open));
    open = {};
  };
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (line.ends_with('\r')) line.pop_back();
    if (open.number == 0) open.number = number;
    const bool comment = trimmed(line).starts_with('#');
    if (line.ends_with('\\') && !comment) {
      line.pop_back();
      open.text += line;
      continue;
    }
    open.text += (comment ? " " : "") + line;
    close();
  }
  close();
  return all;
}

/// The names of ${NAME} in a line, as pip has them: of capital letters, digits and "_".
std::vector<std::string> variables_in(std::string_view line) {
  std::vector<std::string> names;
  for (auto at = line.find("${"); at != std::string_view::npos; at = line.find("${", at + 2)) {
    const auto end = line.find('}', at);
    const auto name = line.substr(at + 2, end == std::string_view::npos ? end : end - at - 2);
    const bool is_name = !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
      return c == '_' || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    });
    if (end != std::string_view::npos && is_name) names.emplace_back(name);
  }
  return names;
}

std::string with_variables(std::string text) {
  for (const auto& name : variables_in(text)) {
    const auto value = variable(name.c_str());
    const std::string written = "${" + name + "}";
    if (!value.empty()) text.replace(text.find(written), written.size(), value);
  }
  return text;
}

/// A file: URL is a path of this machine, not an address.
bool is_address(std::string_view text) {
  if (text.starts_with("file:")) return false;
  return text.find("://") != std::string_view::npos || text.starts_with("git+");
}

/// "/data/x" of "file:///data/x", "./x" of "file:./x".
std::string_view local_path(std::string_view text) {
  if (!text.starts_with("file:")) return text;
  text.remove_prefix(5);
  if (text.starts_with("//localhost/")) return text.substr(11);
  return text.starts_with("//") ? text.substr(2) : text;
}

std::string folder_of(const std::string& file) {
  const std::size_t slash = file.rfind('/');
  return slash == std::string::npos ? "" : file.substr(0, slash + 1);
}

/// `path` as written in a file of `folder` ("" or "sub/"), from the project's folder.
std::string from_project(const std::string& folder, std::string_view path) {
  if (path.starts_with('/')) return std::string(path);
  while (path.starts_with("./")) path.remove_prefix(2);
  if (path.empty() || path == ".") return folder.empty() ? "." : folder.substr(0, folder.size() - 1);
  return folder + std::string(path);
}

bool is_package_file(std::string_view path) {
  constexpr std::array<std::string_view, 5> endings{".whl", ".gz", ".zip", ".bz2", ".tgz"};
  return std::any_of(endings.begin(), endings.end(), [&](auto ending) { return path.ends_with(ending); });
}

std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> parts;
  std::istringstream words{std::string(text)};
  for (std::string word; std::getline(words, word, ',');) parts.emplace_back(trimmed(word));
  return parts;
}

/// "./lib[a,b]": the path and the extras.
LocalPackage local_package(std::string_view path) {
  LocalPackage package;
  const std::size_t bracket = path.find('[');
  if (bracket != std::string_view::npos && path.ends_with(']')) {
    package.extras = split(path.substr(bracket + 1, path.size() - bracket - 2));
    path = path.substr(0, bracket);
  }
  package.folder = std::string(path);
  return package;
}

/// The path that a requirement names: "./lib", "file:///data/x", "x @ file:lib"; empty where it names none.
std::string path_of(std::string_view line) {
  const auto marker = std::min(line.find(" ;"), line.find("; "));
  line = trimmed(line.substr(0, marker));
  if (const auto at = line.find(" @ "); at != std::string_view::npos) line = trimmed(line.substr(at + 3));
  if (line.starts_with("file:")) return std::string(local_path(line));
  if (is_address(line)) return "";
  const bool path =
      line == "." || line.starts_with("./") || line.starts_with("..") || line.starts_with(".[") ||
      (line.find('/') != std::string_view::npos && line.find_first_of("=<>~! ") == std::string_view::npos);
  return path ? std::string(line) : "";
}

class Reader {
 public:
  /// `started_in`: the folder that pip would be started in, "" or "sub/". Paths of packages count from it.
  explicit Reader(const ReadFile& read, std::string started_in = "")
      : read_(read), started_in_(std::move(started_in)) {}

  void add(const std::string& file, const std::string& wanted_by, bool constraint = false) {
    if (contains(open_, file)) {
      throw Error(fmt::format("{}: {} includes itself", wanted_by, file), "remove one of the two lines",
                  ExitCode::usage);
    }
    // A repeated file is read once: otherwise files that include two others at every level would take forever.
    const std::string key = (constraint ? "-c " : "") + file;
    if (contains(closed_, key)) return;
    if (closed_.size() + open_.size() >= most_files) {
      throw Error(fmt::format("{}: more than {} requirements files include each other", wanted_by, most_files),
                  "put the packages into fewer files", ExitCode::usage);
    }
    const auto bytes = read_(file);
    if (!bytes) {
      throw Error(fmt::format("{}: {} does not exist", wanted_by, file),
                  "correct the name; rv run --no-deps uses no environment", ExitCode::usage);
    }
    open_.push_back(file);
    if (constraint) result_.constraints.push_back(file);
    for (const auto& line : logical_lines(decoded(*bytes))) {
      take(line.text, file, fmt::format("{}:{}", file, line.number), constraint);
    }
    open_.pop_back();
    closed_.push_back(key);
  }

  /// A line of `file`, which is not a requirements file itself.
  void add_line(const std::string& line, const std::string& file) {
    for (const auto& one : logical_lines(line)) take(one.text, file, file, false);
  }

  Requirements result() && { return std::move(result_); }

 private:
  void take(const std::string& line, const std::string& file, const std::string& place, bool constraint) {
    for (const auto& name : variables_in(line)) {
      if (!contains(result_.variables, name)) result_.variables.push_back(name);
    }
    const std::string folder = folder_of(file);
    if (line.starts_with('-')) {
      take_options(line, folder, place, constraint);
    } else if (!constraint) {
      take_requirement(line, folder);
    }
  }

  /// pip reads nothing else of a line with an included file.
  void take_options(const std::string& line, const std::string& folder, const std::string& place, bool constraint) {
    const auto options = options_of(line);
    const auto* included = find_option(options, "-r");
    const auto* limits = included == nullptr ? find_option(options, "-c") : nullptr;
    if (included != nullptr || limits != nullptr) {
      const auto value = with_variables(included != nullptr ? included->value : limits->value);
      if (is_address(value)) {
        result_.addresses.push_back(value);
        return constraint ? void() : keep(line);
      }
      const auto path = from_project(folder, local_path(value));
      if (limits != nullptr && !constraint) result_.lines.push_back({"-c ", path});
      return add(path, place, constraint || limits != nullptr);
    }
    if (constraint) return;
    if (const auto* editable = find_option(options, "-e"); editable != nullptr) {
      const auto value = with_variables(editable->value);
      if (is_address(value)) return keep(line);
      return take_local(local_package(local_path(value)), folder);
    }
    const auto* links = find_option(options, "-f");
    if (links == nullptr || is_address(links->value) || options.size() > 1) return keep(line);
    result_.lines.push_back({"--find-links ", from_project(folder, with_variables(links->value))});
  }

  void take_requirement(const std::string& line, const std::string& folder) {
    const auto path = path_of(with_variables(line));
    if (path.empty()) return keep(line);
    if (is_package_file(path.substr(0, path.find('#')))) {
      const auto file = of_package(folder, path.substr(0, path.find('#')));
      result_.wheels.push_back(file);
      result_.lines.push_back({"", file});
    } else {
      auto package = local_package(path);
      package.editable = false;
      take_local(std::move(package), folder);
    }
  }

  void take_local(LocalPackage package, const std::string& folder) {
    package.folder = of_package(folder, package.folder);
    result_.local.push_back(std::move(package));
  }

  /// From the project's folder, the path of a package that a file in `folder` names. pip takes it from the folder that
  /// it is started in, for any file that names it; a missing path is resolved from the file's folder, as its author
  /// meant it.
  std::string of_package(const std::string& folder, std::string_view path) const {
    const auto clean = [](std::string one) {
      while (one.size() > 1 && one.ends_with('/')) one.pop_back();
      return one;
    };
    auto started = clean(from_project(started_in_, path));
    return folder == started_in_ || has_package(started) ? started : clean(from_project(folder, path));
  }

  bool has_package(const std::string& path) const {
    if (is_package_file(path)) return read_(path).has_value();
    const std::string inside = path == "." ? "" : path + "/";
    constexpr std::array<std::string_view, 3> files{"pyproject.toml", "setup.py", "setup.cfg"};
    return std::any_of(files.begin(), files.end(),
                       [&](auto file) { return read_(inside + std::string(file)).has_value(); });
  }

  void keep(const std::string& line) { result_.lines.push_back({line, ""}); }

  const ReadFile& read_;
  std::string started_in_;
  static constexpr std::size_t most_files = 200;  // they are read one within another

  std::vector<std::string> open_;    // being read
  std::vector<std::string> closed_;  // read
  Requirements result_;
};

}  // namespace

bool Requirements::empty() const {
  const bool only_options =
      std::all_of(lines.begin(), lines.end(), [](const Line& line) { return trimmed(line.before).starts_with('-'); });
  return only_options && wheels.empty();
}

std::string Requirements::text(const std::string& folder) const {
  std::string text;
  for (const Line& line : lines) {
    const bool relative = !line.path.empty() && !line.path.starts_with('/') && !folder.empty();
    text += line.before + (relative ? folder + "/" : "") + line.path + "\n";
  }
  return text;
}

bool is_conda_list(std::string_view text) {
  while (!text.empty()) {
    const auto end = text.find('\n');
    const auto line = trimmed(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (line.empty() || line.front() == '#') continue;
    if (line == "@EXPLICIT") return true;
    // pip's operators of versions have a second character: "==", "~=", ">=".
    const auto equals = line.find('=');
    if (equals == 0 || equals == std::string_view::npos || line.substr(equals, 2) == "==") return false;
    const auto name = line.substr(0, equals);
    return name.front() != '-' && name.find_first_of(" <>~!@:/[;") == std::string_view::npos;
  }
  return false;
}

Requirements read_requirements(const std::vector<std::string>& files, const ReadFile& read) {
  Reader reader(read);
  for (const auto& file : files) reader.add(file, "environment");
  return std::move(reader).result();
}

Requirements read_requirement_lines(const std::vector<std::string>& lines, const std::string& file,
                                    const ReadFile& read) {
  Reader reader(read, folder_of(file));
  for (const auto& line : lines) reader.add_line(line, file);
  return std::move(reader).result();
}

}  // namespace rv::project
