#include "cli/launch/container.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>

#include "base/error.h"
#include "base/os/atomic_file.h"
#include "base/os/process.h"
#include "base/terminal_text.h"
#include "base/wrong_value.h"
#include "slurm/environment.h"
#include "templates/renderer.h"

namespace rv::cli {
namespace {

// Pyxis is a plugin of Slurm; srun's own help is where it shows.
bool has_pyxis() {
  const auto help = os::run({.argv = {"srun", "--help"},
                             .input = {},
                             .deadline = std::chrono::seconds(10),
                             .environment = slurm::query_environment(),
                             .folder = {}});
  return help.out.find("--container-image") != std::string::npos;
}

bool can_be_mounted(const std::string& path) {
  return path.find_first_of(":,\\") == std::string::npos && !has_control_character(path);
}

bool names_file(const std::string& image) {
  if (image.find("://") != std::string::npos) return false;
  return image.starts_with('/') || image.starts_with("./") || image.ends_with(".sif") || image.ends_with(".sqsh");
}

// The image is a separate argument of the engines, where a leading "-" would begin an option.
void check_image(const std::string& image) {
  if (!image.starts_with('-') && !has_control_character(image)) return;
  throw wrong_value("--container", image, "an image that does not begin with '-' and has no newlines",
                    "give the path of a file, or a name as in docker://ubuntu:24.04");
}

// The engines write mounts as FROM:TO, and some of them several with commas between.
void check_mount(const std::string& path) {
  if (path.starts_with('/') && can_be_mounted(path)) return;
  throw wrong_value("--container-mount", path, "an absolute path without ':', ',', '\\' and newlines",
                    "give its whole path; it has the same path inside");
}

}  // namespace

std::vector<std::string> Container::srun_options() const {
  if (!by_srun()) return {};
  std::vector<std::string> pairs;
  for (const auto* const paths : {&mounts, &named}) {
    for (const auto& path : *paths) pairs.push_back(fmt::format("{0}:{0}", path));
  }
  return {"--container-image=" + image, fmt::format("--container-mounts={}", fmt::join(pairs, ",")),
          "--no-container-mount-home"};
}

std::vector<std::string> Container::step() const {
  if (!by_srun()) return {};
  std::vector<std::string> words = {"srun", "--overlap", "--nodes=1", "--ntasks=1"};
  for (const auto& option : srun_options()) words.push_back(option);
  return words;
}

std::vector<std::string> Container::command(const std::vector<std::string>& argv, const std::string& start) const {
  if (image.empty() || by_srun()) return argv;
  std::vector<std::string> words = {"bash", start};
  if (start.empty()) words = {"bash", "-c", "exec bash \"$RV_RUN_DIR/container\" \"$@\"", "container"};
  if (!message_file.empty()) words.insert(words.begin(), {"env", "RV_CONTAINER_TOLD=" + message_file});
  words.insert(words.end(),
               {engine, image, fmt::format("{}", fmt::join(mounts, ":")), fmt::format("{}", fmt::join(named, ":"))});
  words.insert(words.end(), argv.begin(), argv.end());
  return words;
}

namespace {

Container with_mounts(const ContainerOptions& options, const Settings& settings) {
  for (const auto& path : options.mounts) check_mount(path);
  check_image(options.image);
  Container container{settings.container, options.image, {}, options.mounts};
  for (const auto& folder : {settings.home, settings.scratch}) {
    if (!folder.empty() && can_be_mounted(folder)) container.mounts.push_back(folder);
  }
  return container;
}

void check_mounts_have_image(const ContainerOptions& options) {
  if (!options.image.empty() || options.mounts.empty()) return;
  throw Error(fmt::format("--container-mount {} needs --container", options.mounts.front()),
              "name its image with --container", ExitCode::usage);
}

void check_file_is_there(const std::string& image) {
  std::error_code unknown;
  if (!names_file(image) || std::filesystem::exists(image, unknown)) return;
  throw wrong_value("--container", image, "an existing file",
                    "check the path; for an image of a registry, write docker://NAME or NAME");
}

}  // namespace

Container container_on_hosts(const ContainerOptions& options, const Settings& settings) {
  check_mounts_have_image(options);
  if (options.image.empty()) return {};
  auto container = with_mounts(options, settings);
  // The work on a host has a separate folder, so only this side can resolve a relative path.
  if (names_file(options.image) && !options.image.starts_with('/')) {
    check_file_is_there(options.image);
    container.image = std::filesystem::absolute(options.image).lexically_normal();
  }
  if (container.by_srun()) container.engine.clear();
  return container;
}

Container container_for(const ContainerOptions& options, const Settings& settings) {
  check_mounts_have_image(options);
  if (options.image.empty()) return {};
  check_file_is_there(options.image);
  auto container = with_mounts(options, settings);
  if (container.engine.empty() && has_pyxis()) container.engine = "pyxis";
  return container;
}

std::string container_start() {
  return templates::render("container_start.bash", {});
}

void write_container_start(const std::string& path) {
  os::write_file(path, container_start());
}

void put_into_container(WorkOrder& order, const Container& container) {
  if (container.image.empty()) return;
  order.job.container_shell = container.command({"sh", "-c", "command -v bash >/dev/null && exec bash; exec sh"});
  if (container.by_srun()) {
    auto step = container.step();
    step.emplace_back("--pty");
    order.job.container_shell.insert(order.job.container_shell.begin(), step.begin(), step.end());
  }
  if (!order.job.hold) {
    order.job.container_options = container.srun_options();
    order.job.argv = container.command(order.job.argv);
  }
  if (container.by_srun()) return;
  order.prepare = [before = order.prepare](const monitor::RunFolder& folder) {
    if (before) before(folder);
    write_container_start(folder.file("container"));
  };
}

}  // namespace rv::cli
