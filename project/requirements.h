// pip's requirements files, as far as it takes to know what they name and to use them from another folder.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace rv::project {

/// The content of a file of the project, by its path from the project's folder; nothing where there is none.
using ReadFile = std::function<std::optional<std::string>(const std::string& path)>;

/// A folder of the project whose own code is to be imported from where it is: "-e .", "./lib".
struct LocalPackage {
  std::string folder;  // from the project's folder; "." is that itself
  std::vector<std::string> extras;
};

struct Requirements {
  struct Line {
    std::string before;  // all of it, where it names no path
    std::string path;    // from the project's folder
  };
  std::vector<Line> lines;               // of all files, those that they include in their place
  std::vector<std::string> constraints;  // files; they stand in the lines, too
  std::vector<std::string> wheels;       // packages that are files of the project; they stand in the lines, too
  std::vector<LocalPackage> local;       // not in the lines

  bool empty() const;
  /// One requirements file. Paths begin with `folder`, the project's; with an empty one they are relative.
  std::string text(const std::string& folder) const;
};

/// Throws Error(usage) for a file that is not there, or that includes itself.
Requirements read_requirements(const std::vector<std::string>& files, const ReadFile& read);

}  // namespace rv::project
