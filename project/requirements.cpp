#include "project/requirements.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <sstream>
#include <string_view>

#include "base/error.h"
#include "base/text.h"

namespace rv::project {
namespace {

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

/// Without the comment behind it.
std::string_view meant(std::string_view line) {
  line = trimmed(line);
  if (line.starts_with('#')) return {};
  const std::size_t comment = std::min(line.find(" #"), line.find("\t#"));
  return trimmed(line.substr(0, comment));
}

/// The value of an option in any of its spellings: "-r x", "-rx", "--requirement x", "--requirement=x".
std::optional<std::string_view> option(std::string_view line, std::string_view letter, std::string_view word) {
  if (line.starts_with(word)) {
    const auto rest = line.substr(word.size());
    if (rest.empty() || (rest.front() != '=' && rest.front() != ' ' && rest.front() != '\t')) return std::nullopt;
    return trimmed(rest.substr(1));
  }
  if (letter.empty() || !line.starts_with(letter) || line.starts_with("--")) return std::nullopt;
  auto rest = trimmed(line.substr(letter.size()));
  if (rest.starts_with('=')) rest = trimmed(rest.substr(1));
  return rest;
}

bool is_address(std::string_view text) {
  return text.find("://") != std::string_view::npos || text.starts_with("file:") || text.starts_with("git+");
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

/// "./lib[a,b]" of the file in `folder`.
LocalPackage local_package(const std::string& folder, std::string_view path) {
  LocalPackage package;
  const std::size_t bracket = path.find('[');
  if (bracket != std::string_view::npos && path.ends_with(']')) {
    package.extras = split(path.substr(bracket + 1, path.size() - bracket - 2));
    path = path.substr(0, bracket);
  }
  package.folder = from_project(folder, path);
  while (package.folder.size() > 1 && package.folder.ends_with('/')) package.folder.pop_back();
  return package;
}

class Reader {
 public:
  explicit Reader(const ReadFile& read) : read_(read) {}

  void add(const std::string& file, const std::string& wanted_by) {
    if (contains(open_, file)) {
      throw Error(fmt::format("{}: {} includes itself", wanted_by, file), "take one of the two lines out",
                  ExitCode::usage);
    }
    // What stands twice is installed once, and files that include two others at every level would never end.
    if (contains(closed_, file)) return;
    if (closed_.size() + open_.size() >= most_files) {
      throw Error(fmt::format("{}: more than {} requirements files include each other", wanted_by, most_files),
                  "put the packages into fewer files", ExitCode::usage);
    }
    const auto text = read_(file);
    if (!text) {
      throw Error(fmt::format("{}: there is no file {}", wanted_by, file),
                  "correct the name; rv run --no-deps leaves the dependencies alone", ExitCode::usage);
    }
    open_.push_back(file);
    std::istringstream lines(*text);
    int number = 0;
    bool goes_on = false;
    for (std::string line; std::getline(lines, line); goes_on = line.ends_with('\\')) {
      ++number;
      if (line.ends_with('\r')) line.pop_back();
      if (goes_on) {
        result_.lines.push_back({line, ""});
      } else {
        take(line, file, fmt::format("{}:{}", file, number));
      }
    }
    open_.pop_back();
    closed_.push_back(file);
  }

  Requirements result() && { return std::move(result_); }

 private:
  void take(const std::string& line, const std::string& file, const std::string& place) {
    const std::string_view said = meant(line);
    const std::string folder = folder_of(file);
    if (said.empty()) return;
    if (const auto included = option(said, "-r", "--requirement")) {
      if (is_address(*included)) return keep(line);
      return add(from_project(folder, *included), place);
    }
    if (const auto limits = option(said, "-c", "--constraint")) {
      if (is_address(*limits)) return keep(line);
      const std::string path = from_project(folder, *limits);
      result_.constraints.push_back(path);
      result_.lines.push_back({"-c ", path});
      return;
    }
    if (const auto links = option(said, "-f", "--find-links")) {
      if (is_address(*links)) return keep(line);
      result_.lines.push_back({"--find-links ", from_project(folder, *links)});
      return;
    }
    if (const auto editable = option(said, "-e", "--editable")) {
      if (is_address(*editable)) return keep(line);
      result_.local.push_back(local_package(folder, *editable));
      return;
    }
    const bool path = said == "." || said.starts_with("./") || said.starts_with("../") || said.starts_with(".[");
    if (!path) return keep(line);
    if (is_package_file(said)) {
      result_.wheels.push_back(from_project(folder, said));
      result_.lines.push_back({"", result_.wheels.back()});
    } else {
      result_.local.push_back(local_package(folder, said));
    }
  }

  void keep(const std::string& line) { result_.lines.push_back({line, ""}); }

  const ReadFile& read_;
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

Requirements read_requirements(const std::vector<std::string>& files, const ReadFile& read) {
  Reader reader(read);
  for (const auto& file : files) reader.add(file, "environment");
  return std::move(reader).result();
}

}  // namespace rv::project
