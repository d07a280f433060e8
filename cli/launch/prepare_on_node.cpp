#include "cli/launch/prepare_on_node.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/error.h"
#include "base/os/atomic_file.h"
#include "base/os/file_lock.h"
#include "cli/launch/follow_run.h"
#include "cli/launch/launch_options.h"

namespace rv::cli {
namespace {

namespace fs = std::filesystem;

/// The same kind of GPU and the same account, but one GPU, and the time of a build.
std::shared_ptr<RequestOptions> request_of(const RequestOptions& like, std::chrono::seconds time) {
  auto request = std::make_shared<RequestOptions>(like);
  request->gpus = like.gpus == 0 ? 0 : 1;
  request->nodes.reset();
  request->splits.reset();
  request->single_node = true;
  request->time = time;
  request->name = "environment";
  request->checkpoint = std::make_shared<CheckpointOptions>();
  request->probe = false;
  return request;
}

/// rv itself, from the run's folder: a node need not see where it is installed.
WorkOrder build_order(const ProjectNeeds& needs, const project::EnvironmentStore& store, const Settings& settings,
                      bool rebuild) {
  auto order = plain_order({"rv", "deps", rebuild ? "rebuild" : "build"}, settings, "none",
                           {.interpreter = {}, .as_typed = true});
  // The output of the build is shown as progress.
  order.job.set_command({"bash", "-c",
                         "cd -- \"$1\" && exec \"$RV_RUN_DIR/rv\" deps \"$2\" --into \"$3\" ${4:+--script \"$4\"} >&2",
                         "build", needs.wanted.start, rebuild ? "rebuild" : "build",
                         store.root() + "/" + needs.wanted.name, needs.wanted.script});
  order.prepare = [](const monitor::RunFolder& folder) { fs::copy_file("/proc/self/exe", folder.file("rv")); };
  return order;
}

/// Held while a job of one client builds it: another client waits here, and not with a GPU.
os::FileLock waiting_lock(const project::EnvironmentStore& store, const ProjectNeeds& needs) {
  const std::string path = store.lock_file(needs.wanted.name) + ".job";
  os::make_folder(store.root() + "/locks");
  auto lock = os::FileLock::try_take(path, os::WithoutLocks::go_on);
  if (!lock) {
    fmt::print(stderr, "rv: another rv is building this environment on a node; waiting for it\n");
    lock = os::FileLock::wait(path, os::LockMode::exclusive);
  }
  if (lock) return std::move(*lock);
  throw Error("can't open " + path, "set scratch in the settings to a folder that you can write to");
}

}  // namespace

ProjectNeeds prepare_on_node(const ProjectNeeds& needs, const RequestOptions& like, const Invocation& invocation,
                             bool rebuild) {
  const project::EnvironmentStore store(needs.wanted.scratch);
  const auto lock = waiting_lock(store, needs);
  ProjectNeeds made = needs;
  made.environment = project::ready(needs.wanted);
  if (made.environment && !rebuild) return made;
  // A laptop whose connection breaks meanwhile must not mistake this run for the requested one.
  Invocation here = invocation;
  here.hop.reset();
  LaunchOptions launching;
  launching.request = request_of(like, needs.wanted.choice.build_time);
  launching.project.no_deps = true;
  const auto launched = launch(launching, build_order(needs, store, here.settings, rebuild), here);
  if (!launched.folder) {
    throw Error("no GPU is available to build the project's environment",
                "build_on_node: false builds it on the login node; --no-deps uses no environment",
                ExitCode::no_strategy);
  }
  const auto& run = *launched.folder;
  if (!invocation.json) fmt::print(stderr, "rv: run {} builds it\n", run.id());
  slurm::Gateway gateway;
  const auto followed = follow_run(run, gateway, here, {.until = Until::over, .stream = true});
  if (followed.interrupted) {
    after_interrupt(run, followed);
    throw Error("interrupted while the project's environment was built", "the same command continues from there",
                ExitCode::interrupted);
  }
  made.environment = project::ready(needs.wanted);
  if (followed.view.state == monitor::RunState::done && made.environment) return made;
  explain_end(run, followed.view, invocation.terminal);
  throw Error(
      fmt::format("the environment of {} could not be built on a node", project::shown(needs.wanted.dependencies)),
      fmt::format("nothing else was submitted; rv logs {} has the output; --no-deps uses no environment", run.id()));
}

}  // namespace rv::cli
