#include "cli/project/prepare/environment_store.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/documents/parse_document.h"
#include "base/error.h"
#include "base/os/atomic_file.h"
#include "base/os/file_lock.h"
#include "base/os/listing.h"
#include "base/trust/private_folder.h"
#include "shared/documents/json_dump.h"
#include "shared/documents/json_integer.h"
#include "shared/number.h"

namespace rv::project {
namespace {

namespace fs = std::filesystem;

constexpr const char* record_name = "environment.json";

std::string link_target(const std::string& path) {
  char buffer[256];
  const ssize_t length = ::readlink(path.c_str(), buffer, sizeof buffer);
  if (length <= 0 || length >= static_cast<ssize_t>(sizeof buffer)) return "";
  return {buffer, static_cast<std::size_t>(length)};
}

std::optional<Environment> read_record(const std::string& name, const std::string& folder) {
  const auto text = os::read_file(folder + "/" + record_name);
  if (!text) return std::nullopt;
  const auto json = parse_json_or_discard<nlohmann::json>(*text);
  if (json.is_discarded() || json.value("format", "") != "rv-environment") return std::nullopt;
  Environment environment;
  environment.name = name;
  environment.folder = folder;
  environment.prefix = folder + "/" + json.value("prefix", "env");
  environment.conda = json.value("conda", false);
  environment.tool = json.value("tool", "");
  environment.from = json.value("from", "");
  environment.project = json.value("project", "");
  environment.made = std::chrono::sys_seconds(std::chrono::seconds(integer_or(json, "made", std::int64_t{0})));
  environment.took = std::chrono::seconds(integer_or(json, "took_s", std::int64_t{0}));
  return environment;
}

/// Its interpreter may have been removed from the machine since; one of conda need not have Python.
bool starts(const Environment& environment) {
  const std::string python = environment.prefix + "/bin/python";
  if (::access(python.c_str(), X_OK) == 0) return true;
  struct stat status {};
  return environment.conda && ::lstat(python.c_str(), &status) != 0 &&
         ::access((environment.prefix + "/bin").c_str(), X_OK) == 0;
}

std::chrono::sys_seconds changed(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return {};
  return std::chrono::sys_seconds(std::chrono::seconds(status.st_mtime));
}

}  // namespace

void EnvironmentStore::check(const std::string& folder) const {
  trust::check_private_folder(folder, "remove it, or set scratch in the settings to another folder");
}

std::optional<Environment> EnvironmentStore::current(const std::string& name) const {
  check(root_);
  check(root_ + "/" + name);
  const std::string number = link_target(root_ + "/" + name + "/current");
  if (!number_in<int>(number)) return std::nullopt;
  // Its programs run as this user.
  check(root_ + "/" + name + "/" + number);
  auto environment = read_record(name, root_ + "/" + name + "/" + number);
  if (!environment || !starts(*environment)) return std::nullopt;
  return environment;
}

std::string EnvironmentStore::next_folder(const std::string& name) const {
  int last = 0;
  for (const auto& entry : os::names_in(root_ + "/" + name)) {
    // A log outlives its folder.
    last = std::max(last, number_in<int>(entry.substr(0, entry.find('.'))).value_or(0));
  }
  return root_ + "/" + name + "/" + std::to_string(last + 1);
}

void EnvironmentStore::publish(const Environment& environment) const {
  const nlohmann::ordered_json json{{"format", "rv-environment"},
                                    {"version", 1},
                                    {"prefix", environment.prefix.substr(environment.folder.size() + 1)},
                                    {"conda", environment.conda},
                                    {"tool", environment.tool},
                                    {"from", environment.from},
                                    {"project", environment.project},
                                    {"made", environment.made.time_since_epoch().count()},
                                    {"took_s", environment.took.count()}};
  os::write_file(environment.folder + "/" + record_name, json_dump(json, 1) + "\n");
  const std::string link = root_ + "/" + environment.name + "/current";
  const std::string made = link + "." + std::to_string(::getpid());
  const std::string number = environment.folder.substr(environment.folder.rfind('/') + 1);
  ::unlink(made.c_str());
  if (::symlink(number.c_str(), made.c_str()) != 0 || ::rename(made.c_str(), link.c_str()) != 0) {
    throw Error("can't create the link " + link + ": " + std::strerror(errno), "check whether the disk is full");
  }
}

void EnvironmentStore::touch(const Environment& environment) {
  ::utimensat(AT_FDCWD, (environment.folder + "/" + record_name).c_str(), nullptr, 0);
}

std::vector<StoredEnvironment> EnvironmentStore::all() const {
  check(root_);
  std::vector<StoredEnvironment> found;
  for (const auto& name : os::names_in(root_)) {
    if (name == "locks") continue;
    const std::string below = root_ + "/" + name;
    const std::string current = link_target(below + "/current");
    for (const auto& number : os::names_in(below)) {
      std::error_code ignored;
      std::string folder = below;
      folder += '/';
      folder += number;
      if (!number_in<int>(number) || !fs::is_directory(folder, ignored)) continue;
      StoredEnvironment stored{.name = name,
                               .folder = folder,
                               .whole = read_record(name, folder),
                               .current = false,
                               .used = changed(folder)};
      stored.current = stored.whole.has_value() && number == current;
      folder += '/';
      folder += record_name;
      if (stored.whole) stored.used = std::max(stored.whole->made, changed(folder));
      found.push_back(std::move(stored));
    }
  }
  return found;
}

void EnvironmentStore::remove_locked(const StoredEnvironment& stored) const {
  const std::string below = root_ + "/" + stored.name;
  if (stored.current) ::unlink((below + "/current").c_str());
  // Without its record it is not an environment, even if other files remain.
  ::unlink((stored.folder + "/" + record_name).c_str());
  std::error_code ignored;
  fs::remove_all(stored.folder, ignored);
  ::unlink((stored.folder + ".log").c_str());
  ::rmdir(below.c_str());
}

bool EnvironmentStore::remove(const StoredEnvironment& stored) const {
  const auto lock = os::FileLock::try_take(lock_file(stored.name), os::WithoutLocks::go_on);
  if (!lock) return false;
  remove_locked(stored);
  return true;
}

}  // namespace rv::project
