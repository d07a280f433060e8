#include "cli/options/sbatch_options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "base/error.h"
#include "base/text.h"
#include "base/walltime.h"
#include "base/wrong_value.h"
#include "cli/options/command_option.h"
#include "cli/options/option_values.h"
#include "cli/options/request_options.h"
#include "cli/options/value_option.h"

namespace rv::cli {
namespace {

bool is_number(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::string per_node_advice(const std::string& text) {
  const auto options = options_for_gres(text);
  if (options.empty()) return "write -g N -t TYPE; --nodes N spreads them over N nodes";
  return fmt::format("on one node: {} --single-node; on N nodes: --nodes N, and -g with N times as many GPUs", options);
}

/// Of the options of sbatch that count GPUs by something else than the job.
void refuse_count(CLI::App& command, const std::string& name, std::string (*advice)(const std::string& text)) {
  add_text_option(
      command, name,
      [name, advice, &command](const std::string& text) {
        throw Error(fmt::format("rv {} does not accept {} {}: -g counts the GPUs of the whole run", command.get_name(),
                                name, one_line(text)),
                    advice(text), ExitCode::usage);
      },
      "as for sbatch");
}

}  // namespace

std::string options_for_gres(std::string_view text) {
  if (text.starts_with("gpu:")) text.remove_prefix(4);
  const auto colon = text.find(':');
  const auto type = colon == std::string_view::npos ? std::string_view() : text.substr(0, colon);
  const auto count = colon == std::string_view::npos ? text : text.substr(colon + 1);
  const bool named =
      colon == std::string_view::npos || (!type.empty() && type.find_first_of(" ,'\"") == std::string_view::npos);
  if (!is_number(count) || !named) return "";
  return fmt::format("-g {}{}{}", count, type.empty() ? "" : " -t ", type);
}

int gpu_count_value(std::string_view option, std::string_view text) {
  const auto options = text.find(':') == std::string_view::npos ? std::string() : options_for_gres(text);
  if (!options.empty()) {
    throw wrong_value(option, text, "a number; the GPU type is a separate option", "write " + options);
  }
  return count_from(0, most_counted)(std::string(option), std::string(text));
}

std::vector<std::string> gpu_types_value(std::string_view option, std::string_view text) {
  const bool starts_with_digit = !text.empty() && text.front() >= '0' && text.front() <= '9';
  if (starts_with_digit && parse_walltime(text)) {
    throw wrong_value(option, text, "GPU types, and this is a time",
                      fmt::format("write --time {}; {} names GPU types", text, option));
  }
  return list_value(option, text);
}

Error cores_per_task_refused(int cores) {
  return {fmt::format("-c {} counts cores per task, as for sbatch; rv accepts it only with -g 0 or --in", cores),
          "write --cpus N, the number of cores per node", ExitCode::usage};
}

void add_sbatch_options(CLI::App& command, RequestOptions& request) {
  refuse_count(command, "--gres", per_node_advice);
  refuse_count(command, "--gpus-per-node", per_node_advice);
  const auto per_process = [](const std::string&) {
    return std::string("write -g N; --procs-per-node N starts N processes a node");
  };
  refuse_count(command, "--gpus-per-socket", per_process);
  // rv map has that option: its tasks have GPUs of their own.
  const bool has_tasks = command.get_option_no_throw("--gpus-per-task") != nullptr;
  if (!has_tasks) refuse_count(command, "--gpus-per-task", per_process);
  add_value(command, "-c,--cpus-per-task", request.cores_per_task, count_from(1, most_counted),
            "cores per task, as for sbatch; only with --in, or with -g 0 and one process per node")
      .type_name("N")
      .group("Job");
  hide_options(command, {"--gres", "--gpus-per-node", "--gpus-per-socket"});
  if (!has_tasks) hide_options(command, {"--gpus-per-task"});
}

}  // namespace rv::cli
