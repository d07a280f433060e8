#include <fmt/format.h>

#include "base/error.h"
#include "cli/launch/follow_run.h"
#include "cli/launch/no_container.h"
#include "cli/load/place.h"

namespace rv::cli {
namespace {

Launched launch_load(Load& load, SlurmLaunch& description) {
  description.launching.dry_run = load.options().dry_run;
  auto launched = launch(description.launching, description.work, load.invocation(), std::move(description.known));
  if (!launched.folder && load.options().dry_run && !load.invocation().json) load.show_below_plan();
  return launched;
}

}  // namespace

int SlurmPlace::show(Load& load) {
  auto description = load.for_slurm();
  return launch_load(load, description).exit_code;
}

WorkEnd SlurmPlace::run(Load& load) {
  auto description = load.for_slurm();
  const auto& invocation = load.invocation();
  const auto launched = launch_load(load, description);
  if (!launched.folder) return {.exit_code = launched.exit_code};
  const auto& run = *launched.folder;
  load.begin_in(run);
  slurm::Gateway gateway;
  const auto attended = attend(run, gateway, invocation,
                               {.detach = load.options().detach,
                                .stream = description.stream,
                                .progress = description.progress,
                                .next = description.next(run.id())});
  if (attended.exit_code) return {.exit_code = attended.exit_code};
  const auto& view = attended.view;
  WorkEnd end;
  if (view.state == monitor::RunState::done) return end;
  const bool explained = load.explains_end(run, view, gateway);
  const auto no_image = container_error(load.options().container, run, view, gateway);
  if (no_image && (invocation.json || description.throws_container)) throw Error(*no_image);
  if (!invocation.json) explain_end(run, view, invocation.terminal);
  if (no_image) return {.exit_code = no_container};  // its lines have come with the node's output
  if (!explained) {
    end.troubles.push_back({"", "the run ended early: " + view.detail,
                            fmt::format("rv why {} names the cause", run.id()), exit_code_of(view)});
  }
  return end;
}

}  // namespace rv::cli
