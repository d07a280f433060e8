// The commands, one file each.
#pragma once

#include "cli/options/invocation.h"

namespace rv::cli {

// reading and planning
void add_cluster(CLI::App& app, const Invocation& invocation, Action& action);
void add_plan(CLI::App& app, const Invocation& invocation, Action& action);
void add_render(CLI::App& app, const Invocation& invocation, Action& action);
// getting GPUs and running on them
void add_up(CLI::App& app, const Invocation& invocation, Action& action);
void add_run(CLI::App& app, const Invocation& invocation, Action& action);
void add_accept(CLI::App& app, const Invocation& invocation, Action& action);
void add_shell(CLI::App& app, const Invocation& invocation, Action& action);
void add_ssh(CLI::App& app, const Invocation& invocation, Action& action);
// following
void add_ps(CLI::App& app, const Invocation& invocation, Action& action);
void add_status(CLI::App& app, const Invocation& invocation, Action& action);
void add_show(CLI::App& app, const Invocation& invocation, Action& action);
void add_wait(CLI::App& app, const Invocation& invocation, Action& action);
void add_why(CLI::App& app, const Invocation& invocation, Action& action);
void add_logs(CLI::App& app, const Invocation& invocation, Action& action);
void add_gpu(CLI::App& app, const Invocation& invocation, Action& action);
void add_forward(CLI::App& app, const Invocation& invocation, Action& action);
void add_cost(CLI::App& app, const Invocation& invocation, Action& action);
void add_stop(CLI::App& app, const Invocation& invocation, Action& action);
void add_pull(CLI::App& app, const Invocation& invocation, Action& action);
// files of a project
void add_sync(CLI::App& app, const Invocation& invocation, Action& action);
// keeping house
void add_gc(CLI::App& app, const Invocation& invocation, Action& action);
void add_notify(CLI::App& app, const Invocation& invocation, Action& action);
void add_env(CLI::App& app, const Invocation& invocation, Action& action);
// the login node
void add_init(CLI::App& app, const Invocation& invocation, Action& action);
void add_exec(CLI::App& app, const Invocation& invocation, Action& action);
// the shell
void add_completion(CLI::App& app, const Invocation& invocation, Action& action);

}  // namespace rv::cli
