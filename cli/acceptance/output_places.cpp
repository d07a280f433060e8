#include "cli/acceptance/output_places.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <vector>

#include "base/error.h"
#include "base/text.h"
#include "base/wrong_value.h"

namespace rv::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* other_path = "choose another path";

Error refusal(const std::string& option, const std::string& path, const std::string& why) {
  return {fmt::format("{} \"{}\": {}", option, one_line(path), why), other_path, ExitCode::usage};
}

std::string reason() {
  return std::strerror(errno);
}

/// Trying it is the only proof: root may do all that the permissions say, and some file systems take nothing even so.
void try_in(const fs::path& folder, const std::string& option, const std::string& path) {
  auto name = (folder / ".rv-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) {
    throw refusal(option, path, fmt::format("{} can't be written to: {}", folder.string(), reason()));
  }
  ::rmdir(name.c_str());
}

/// Folders that were made only to see whether they can be.
class Tried {
 public:
  Tried() = default;
  ~Tried() {
    for (auto one = made_.rbegin(); one != made_.rend(); ++one) ::rmdir(one->c_str());
  }
  Tried(const Tried&) = delete;
  Tried& operator=(const Tried&) = delete;

  bool make(const fs::path& folder) {
    if (::mkdir(folder.c_str(), 0700) != 0) return errno == EEXIST;
    made_.push_back(folder);
    return true;
  }

 private:
  std::vector<fs::path> made_;
};

}  // namespace

void check_output_folder(const std::string& option, const std::string& path) {
  if (path.empty()) return;
  std::error_code fault;
  auto folder = fs::absolute(path).lexically_normal();
  if (!folder.has_filename()) folder = folder.parent_path();
  std::vector<fs::path> missing;
  auto there = folder;
  for (; !fs::exists(there, fault) && there.has_relative_path(); there = there.parent_path()) missing.push_back(there);
  if (!fs::is_directory(there, fault)) throw refusal(option, path, there.string() + " is not a folder");
  Tried tried;
  for (auto one = missing.rbegin(); one != missing.rend(); ++one) {
    if (!tried.make(*one)) throw refusal(option, path, fmt::format("{} can't be made: {}", one->string(), reason()));
  }
  try_in(folder, option, path);
}

void check_output_file(const std::string& option, const std::string& path) {
  if (path.empty()) return;
  std::error_code fault;
  const auto whole = fs::absolute(path);
  if (!whole.has_filename() || fs::is_directory(whole, fault)) {
    throw wrong_value(option, path, "a file, not a folder", other_path);
  }
  if (!fs::is_directory(whole.parent_path(), fault)) {
    throw wrong_value(option, path, "a file in an existing folder", other_path);
  }
  try_in(whole.parent_path(), option, path);
}

}  // namespace rv::cli
