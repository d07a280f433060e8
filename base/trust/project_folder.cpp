#include "base/trust/project_folder.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/error.h"
#include "base/text.h"
#include "base/trust/outside_access.h"

namespace rv::trust {
namespace {

bool is_trusted(const std::string& path) {
  if (is_trusted_folder(path)) return true;
  std::error_code fault;
  const auto real = std::filesystem::weakly_canonical(path, fault);
  return !fault && is_trusted_folder(real.string());
}

/// Of the link, and of what it leads to.
std::string distrust(const std::string& path) {
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0) return {};
  if (auto reason = outside_access(status); !reason.empty()) return reason;
  if (!S_ISLNK(status.st_mode) || ::stat(path.c_str(), &status) != 0) return {};
  return outside_access(status);
}

/// The reason why the folder is not used as the user's project; empty if it is.
std::string project_distrust(const std::string& folder) {
  // The name that led here may be a link of anybody's: what counts is the folder itself.
  struct stat status {};
  if (::stat(folder.empty() ? "/" : folder.c_str(), &status) != 0) return {};
  const std::string reason = outside_access(status);
  return reason.empty() || is_trusted(folder) ? std::string() : reason;
}

}  // namespace

std::string marker_distrust(const std::string& folder, const std::string& marker) {
  const std::string path = folder + "/" + marker;
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0) return {};
  if (const auto reason = project_distrust(folder); !reason.empty()) {
    return fmt::format("{}: {}", folder.empty() ? "/" : one_line(folder), reason);
  }
  const std::string reason = distrust(path);
  return reason.empty() || is_trusted(folder) ? std::string() : fmt::format("{}: {}", one_line(path), reason);
}

std::string project_way_out(const std::string& folder) {
  return fmt::format(
      "if it is yours: chmod go-w; if you trust everyone who can write there, as in a shared folder of "
      "your lab: export RV_TRUSTED_FOLDERS={}",
      folder.empty() ? "/" : one_line(folder));
}

void check_project_file(const std::string& path, const struct stat& status) {
  const auto slash = path.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash);
  std::string reason = outside_access(status);
  struct stat link {};
  if (reason.empty() && ::lstat(path.c_str(), &link) == 0 && S_ISLNK(link.st_mode)) reason = outside_access(link);
  if (reason.empty() || is_trusted(path)) return;
  throw Error(fmt::format("{} is not used: {}", one_line(path), reason), project_way_out(folder), ExitCode::usage);
}

}  // namespace rv::trust
