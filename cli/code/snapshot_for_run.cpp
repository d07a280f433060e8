#include "cli/code/snapshot_for_run.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/error.h"
#include "base/os/current_folder.h"
#include "cli/code/code_version.h"
#include "cli/remote/sync/project.h"
#include "cli/remote/sync/project_store.h"
#include "cli/remote/sync/push.h"
#include "cli/remote/sync/snapshot.h"

namespace rv::cli {
namespace {

namespace fs = std::filesystem;

/// The snapshot in which `folder` lies: $RV_HOME/projects/<name>/snapshots/<id>. Empty: in none.
std::string snapshot_around(const std::string& folder, const std::string& home) {
  std::error_code fault;
  const auto projects = fs::canonical(sync::projects_folder(home), fault).string() + "/";
  if (fault || !folder.starts_with(projects)) return "";
  const auto name = folder.find('/', projects.size());
  constexpr std::string_view between = "/snapshots/";
  if (name == std::string::npos || folder.compare(name, between.size(), between) != 0) return "";
  return folder.substr(0, folder.find('/', name + between.size()));
}

void remove_snapshot(const std::string& folder) {
  std::error_code ignored;
  fs::remove_all(folder, ignored);
  for (const auto& beside : sync::files_beside(folder)) fs::remove(beside, ignored);
}

void enter(const fs::path& folder) {
  std::error_code fault;
  fs::create_directories(folder, fault);
  if (!fault && ::chdir(folder.c_str()) == 0) return;
  throw Error(fmt::format("can't enter {}: {}", folder.string(), fault ? fault.message() : std::strerror(errno)),
              "check the disk and your file quota");
}

}  // namespace

SnapshotForRun::SnapshotForRun(bool wanted, const std::string& home) : before_(os::current_folder()) {
  if (!wanted || !snapshot_around(before_, home).empty()) return;
  const auto project = sync::current_project();
  const auto version = read_code_version(before_, Diff::read);
  folder_ = sync::copy_to_snapshot(sync::ProjectStore(home, sync::name_of(project)), project.root);
  if (version) write_code_version(folder_ + ".", *version);
  try {
    enter(fs::path(folder_) / project.folder);
  } catch (...) {
    remove_snapshot(folder_);
    throw;
  }
}

SnapshotForRun::~SnapshotForRun() {
  if (folder_.empty()) return;
  std::error_code ignored;
  fs::current_path(before_, ignored);
  remove_snapshot(folder_);
}

void record_code(const std::string& run_folder, const std::string& work_folder, const std::string& home) {
  const auto snapshot = snapshot_around(work_folder, home);
  auto version = snapshot.empty() ? read_code_version(work_folder, Diff::read) : written_code_version(snapshot + ".");
  if (!version) return;
  if (!snapshot.empty()) version->diff = written_diff(snapshot + ".").value_or("");
  write_code_version(run_folder + "/", *version);
}

}  // namespace rv::cli
