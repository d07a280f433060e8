// pip's requirements files, as far as it takes to know what they name and to use them from another folder.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rv::project {

/// The content of a file of the project, by its path from the project's folder; nothing where there is none.
using ReadFile = std::function<std::optional<std::string>(const std::string& path)>;

/// A folder of the project whose own code is to be imported from where it is: "-e .", "./lib".
struct LocalPackage {
  std::string folder;  // from the project's folder; "." is that itself
  std::vector<std::string> extras;
  bool editable = true;  // "-e": only its metadata is in an environment that conda makes
};

struct Requirements {
  struct Line {
    std::string before;  // all of it, where it names no path
    std::string path;    // from the project's folder
  };
  std::vector<Line> lines;               // of all files, those that they include in their place
  std::vector<std::string> constraints;  // files, those that they include among them; the named ones stand in the lines
  std::vector<std::string> wheels;       // packages that are files; they stand in the lines, too
  std::vector<LocalPackage> local;       // not in the lines
  std::vector<std::string> variables;    // whose values pip puts in for ${NAME}
  std::vector<std::string> addresses;    // included files that are elsewhere: what they say is not known

  bool empty() const;
  /// One requirements file. Paths begin with `folder`, the project's; with an empty one they are relative.
  std::string text(const std::string& folder) const;
};

/// Reads them as pip does: by their encoding (decoded.h), continued lines joined, comments left out, ${NAME} put in
/// where it is part of a path; pip is started in the project's folder. Throws Error(usage) for a file that is not
/// there, or that includes itself.
Requirements read_requirements(const std::vector<std::string>& files, const ReadFile& read);

/// Whether the text is what `conda list --export` or `--explicit` prints: "numpy=1.26.4=py311h64a7726_0", "@EXPLICIT".
/// pip refuses such lines.
bool is_conda_list(std::string_view text);

/// The same for lines that stand in another file, `file`: the pip part of environment.yml. pip is started in its
/// folder.
Requirements read_requirement_lines(const std::vector<std::string>& lines, const std::string& file,
                                    const ReadFile& read);

}  // namespace rv::project
