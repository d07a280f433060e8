// sbatch's options that mean something else than rv's: each is refused with the option of rv that does it. Those that
// mean the same are further names of rv's own options.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace CLI {
class App;
}

namespace rv::cli {

struct RequestOptions;

/// Adds --gres and --gpus-per-node, which throw Error(usage), and -c, which only a CPU run takes. Help and completion
/// leave them out.
void add_sbatch_options(CLI::App& command, RequestOptions& request);

/// Error(usage) for -c of a run with GPUs.
Error cores_per_task_refused(int cores);

/// A count of GPUs. Throws Error(usage), which for sbatch's "a40:2" names -g and -t.
int gpu_count_value(std::string_view option, std::string_view text);

/// GPU types, separated by commas. Throws Error(usage) for sbatch's `-t 2h`, a time.
std::vector<std::string> gpu_types_value(std::string_view option, std::string_view text);

/// rv's options for sbatch's "gpu:a40:2" or "a40:2" a node: "-g 2 -t a40"; empty: it is not of this form.
std::string options_for_gres(std::string_view text);

}  // namespace rv::cli
