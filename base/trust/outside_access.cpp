#include "base/trust/outside_access.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <vector>

#include "base/os/process.h"
#include "base/os/user_name.h"
#include "base/variable.h"

namespace rv::trust {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> fields_of(std::string_view line) {
  std::vector<std::string> fields;
  std::istringstream text{std::string(line)};
  for (std::string field; std::getline(text, field, ':');) fields.push_back(field);
  return fields;
}

/// The line of a user or group in /etc/passwd or /etc/group, whose third field is the number; empty if there is none.
std::string line_with_number(const char* file, unsigned number) {
  std::ifstream lines(file);
  for (std::string line; std::getline(lines, line);) {
    const auto fields = fields_of(line);
    if (fields.size() > 2 && fields[2] == std::to_string(number)) return line;
  }
  return {};
}

/// A directory service is asked through getent(1), because getgrgid(3) needs shared libraries at run time.
std::string group_line(gid_t group) {
  static std::map<gid_t, std::string> known;
  const auto found = known.find(group);
  if (found != known.end()) return found->second;
  std::string line = line_with_number("/etc/group", group);
  if (line.empty()) {
    const os::Result answer = os::run({.argv = {"getent", "group", std::to_string(group)},
                                       .input = "",
                                       .deadline = std::chrono::seconds(5),
                                       .environment = all_variables(),
                                       .folder = ""});
    if (answer.ok()) line = answer.out.substr(0, answer.out.find('\n'));
  }
  return known.emplace(group, line).first->second;
}

/// The group is the main one of another user of /etc/passwd, who is then not among its members.
bool is_main_group_of_others(gid_t group) {
  std::ifstream lines("/etc/passwd");
  const std::string wanted = std::to_string(group);
  const std::string self = std::to_string(::geteuid());
  for (std::string line; std::getline(lines, line);) {
    const auto fields = fields_of(line);
    if (fields.size() > 3 && fields[3] == wanted && fields[2] != self) return true;
  }
  return false;
}

bool is_own_group(gid_t group) {
  if (group == 0) return true;  // root's
  return is_private_group(group_line(group), os::effective_user_name()) && !is_main_group_of_others(group);
}

std::string shown_group(gid_t group) {
  const auto fields = fields_of(group_line(group));
  return fields.empty() || fields[0].empty() ? std::to_string(group) : fields[0];
}

/// Returns which others can write besides the owner; empty if none can.
std::string other_writers(const struct stat& status) {
  if ((status.st_mode & S_IWOTH) != 0) return "everyone can write to it";
  if ((status.st_mode & S_IWGRP) != 0 && !is_own_group(status.st_gid)) {
    return fmt::format("its group {} can write to it", shown_group(status.st_gid));
  }
  return {};
}

}  // namespace

bool is_private_group(std::string_view group, std::string_view user) {
  const auto fields = fields_of(group);
  if (user.empty() || fields.size() < 3 || fields[0] != user) return false;
  return fields.size() == 3 || fields[3] == user;
}

std::string shown_user(uid_t user) {
  const auto fields = fields_of(line_with_number("/etc/passwd", user));
  return fields.empty() ? fmt::format("user {}", user) : fmt::format("{} (user {})", fields[0], user);
}

std::string outside_access(const struct stat& status) {
  if (status.st_uid != 0 && status.st_uid != ::geteuid()) return "it belongs to " + shown_user(status.st_uid);
  if (S_ISLNK(status.st_mode)) return {};  // a link has no mode of its own
  return other_writers(status);
}

std::string replaceable_because(const std::string& path) {
  const fs::path whole(path);
  for (fs::path folder = whole.parent_path(); !folder.empty(); folder = folder.parent_path()) {
    struct stat status {};
    // In a sticky folder only the owner of a name, of the folder, and root can rename it.
    if (::stat(folder.c_str(), &status) == 0 && (status.st_mode & S_ISVTX) == 0) {
      if (const auto writers = other_writers(status); !writers.empty()) {
        return fmt::format("{} above it is not sticky, and {}", folder.string(), writers);
      }
    }
    if (folder == folder.parent_path()) break;
  }
  return {};
}

bool is_trusted_folder(const std::string& path) {
  std::istringstream folders(variable("RV_TRUSTED_FOLDERS"));
  for (std::string folder; std::getline(folders, folder, ':');) {
    while (folder.size() > 1 && folder.ends_with('/')) folder.pop_back();
    if (!folder.starts_with('/')) continue;
    if (folder == "/" || path == folder || path.starts_with(folder + "/")) return true;
  }
  return false;
}

}  // namespace rv::trust
