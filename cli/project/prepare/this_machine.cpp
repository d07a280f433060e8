#include "cli/project/prepare/this_machine.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <sstream>

#include "base/os/atomic_file.h"
#include "base/os/listing.h"
#include "base/trust/regular_file.h"
#include "base/variable.h"

namespace rv::project {
namespace {

namespace fs = std::filesystem;

bool is_program(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) && ::access(path.c_str(), X_OK) == 0;
}

std::string below(const std::string& folder, const std::string& path) {
  return path.starts_with('/') ? path : folder + "/" + path;
}

std::string first_program(const std::vector<std::string>& paths) {
  const auto found = std::find_if(paths.begin(), paths.end(), is_program);
  return found == paths.end() ? "" : *found;
}

/// Returns a stamp of all files in the folder that could be part of a package, sorted by name. Build outputs and the
/// folders of tools are skipped.
std::string folder_stamp(const std::string& folder) {
  constexpr std::array<std::string_view, 6> left{".git", ".venv", "__pycache__", "build", "dist", "node_modules"};
  constexpr std::size_t most_files = 20'000;
  std::vector<std::string> stamps;
  std::error_code fault;
  for (fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied, fault), end;
       !fault && at != end && stamps.size() < most_files; at.increment(fault)) {
    const auto name = at->path().filename().string();
    if (std::find(left.begin(), left.end(), name) != left.end() || name.ends_with(".egg-info")) {
      at.disable_recursion_pending();
      continue;
    }
    std::error_code unknown;
    if (!at->is_regular_file(unknown)) continue;
    stamps.push_back(at->path().string().substr(folder.size()) + " " + file_stamp(at->path().string()));
  }
  std::sort(stamps.begin(), stamps.end());
  std::string text;
  for (const auto& one : stamps) text += one + "\n";
  return text;
}

/// Files that pip's and uv's variables name decide what is installed, too.
std::string settings_of_tools() {
  std::string text;
  for (const char* name :
       {"PIP_CONSTRAINT", "PIP_REQUIREMENT", "PIP_CONFIG_FILE", "UV_CONSTRAINT", "UV_OVERRIDE", "UV_CONFIG_FILE"}) {
    std::istringstream files(variable(name));
    for (std::string file; files >> file;) text += fmt::format("{} {} {}\n", name, file, file_stamp(file));
  }
  return text;
}

}  // namespace

ProjectFolder read_folder(const std::string& path) {
  return {.path = path,
          .names = os::names_in(path),
          .read = [path](const std::string& name) -> std::optional<std::string> {
            std::error_code ignored;
            const std::string file = below(path, name);
            if (fs::is_directory(file, ignored)) return std::nullopt;
            return trust::read_project_file(file);
          },
          .runs = [path](const std::string& name) { return is_program(below(path, name)); },
          .is_folder =
              [path](const std::string& name) {
                std::error_code ignored;
                return fs::is_directory(below(path, name), ignored);
              }};
}

EnvironmentChoice read_choice(const std::string& folder) {
  const std::string file = folder + "/" + settings_file;
  const auto text = trust::read_project_file(file);
  return text ? parse_project_settings(*text, file) : EnvironmentChoice{};
}

std::string on_path(const std::string& program) {
  if (program.find('/') != std::string::npos) return is_program(program) ? program : "";
  std::istringstream folders(variable("PATH"));
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (folder.empty()) continue;
    folder += '/';
    folder += program;
    if (is_program(folder)) return folder;
  }
  return "";
}

Tools find_tools() {
  const std::string home = variable("HOME");
  Tools tools;
  tools.uv = first_program({on_path("uv"), home + "/.local/bin/uv", home + "/.cargo/bin/uv"});
  tools.pixi = first_program({on_path("pixi"), home + "/.pixi/bin/pixi"});
  tools.conda =
      first_program({on_path("micromamba"), on_path("mamba"), on_path("conda"), variable("MAMBA_EXE"),
                     variable("CONDA_EXE"), home + "/.local/bin/micromamba", home + "/miniforge3/bin/mamba",
                     home + "/miniforge3/bin/conda", home + "/miniconda3/bin/conda", home + "/anaconda3/bin/conda"});
  return tools;
}

std::string file_stamp(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return "";
  if (S_ISDIR(status.st_mode)) return folder_stamp(path);
  return fmt::format("{} bytes of {}.{}", status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
}

Machine this_machine(const std::string& python, const std::string& folder) {
  Machine machine;
  std::error_code unknown;
  const std::string found = on_path(python);
  const std::string real = found.empty() ? found : fs::canonical(found, unknown).string();
  machine.interpreter = fmt::format("{} {}\n{}\n{}\n{}", found, real, file_stamp(real), variable("PYENV_VERSION"),
                                    trust::read_project_file(folder + "/.python-version").value_or(""));
  utsname system{};
  ::uname(&system);
  machine.platform = std::string(system.machine);
  // Machines of different systems may share a scratch.
  std::istringstream lines(os::read_file("/etc/os-release").value_or(""));
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("ID=") || line.starts_with("VERSION_ID=")) machine.platform += "\n" + line;
  }
  machine.modules = variable("LOADEDMODULES");
  machine.settings = settings_of_tools();
  return machine;
}

}  // namespace rv::project
