#include "base/trust/private_folder.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/error.h"
#include "base/trust/outside_access.h"

namespace rv::trust {
namespace {

namespace fs = std::filesystem;

/// The path without links as far as it exists.
std::string real_path(const std::string& path) {
  std::error_code fault;
  const fs::path real = fs::weakly_canonical(path, fault);
  return fault ? path : real.string();
}

std::string reason_against(const std::string& path, const std::string& real) {
  struct stat status {};
  if (::lstat(path.c_str(), &status) == 0 && S_ISLNK(status.st_mode)) {
    if (auto reason = outside_access(status); !reason.empty()) return reason;
    if (auto reason = replaceable_because(path); !reason.empty()) return reason;
  }
  if (::stat(path.c_str(), &status) == 0) {
    if (!S_ISDIR(status.st_mode)) return "it is not a folder";
    if (auto reason = outside_access(status); !reason.empty()) return reason;
  }
  return replaceable_because(real);
}

}  // namespace

void check_private_folder(const std::string& path, const std::string& way_out) {
  std::string name = path;
  while (name.size() > 1 && name.ends_with('/')) name.pop_back();
  const std::string real = real_path(name);
  if (is_trusted_folder(name) || is_trusted_folder(real)) return;
  const std::string reason = reason_against(name, real);
  if (reason.empty()) return;
  throw Error(fmt::format("can't trust the folder {}: {}", name, reason),
              fmt::format("{}; if it is yours: chmod go-w (or chmod +t on a folder above); if you trust everyone "
                          "who can write there: export RV_TRUSTED_FOLDERS={}",
                          way_out, real));
}

void make_closed_folder(const std::string& path) {
  ::mkdir(path.c_str(), 0700);
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0) {
    throw Error(fmt::format("can't create the folder {}: {}", path, std::strerror(errno)), "check the folder above it");
  }
  std::string reason;
  if (!S_ISDIR(status.st_mode)) reason = S_ISLNK(status.st_mode) ? "it is a link" : "it is not a folder";
  if (reason.empty() && status.st_uid != ::getuid()) reason = "it belongs to " + shown_user(status.st_uid);
  if (reason.empty() && (status.st_mode & 077) != 0) reason = "its mode gives other users access";
  if (reason.empty()) return;
  throw Error(
      fmt::format("can't trust the folder {}: {}", path, reason),
      fmt::format("if it is yours: chmod 700 {}; if not, ask its owner or an administrator to remove it", path));
}

}  // namespace rv::trust
