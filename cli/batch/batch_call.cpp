#include "cli/batch/batch_call.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <utility>

#include "base/error.h"
#include "base/os/atomic_file.h"
#include "base/text.h"
#include "cli/options/option_record.h"
#include "shared/sha256.h"
#include "templates/renderer.h"

namespace rv::cli {
namespace {

std::string_view name_of(std::string_view argument) {
  return argument.substr(0, argument.find('='));
}

bool is_given(const std::vector<std::string>& given, std::string_view option) {
  return std::any_of(given.begin(), given.end(), [&](const std::string& one) { return name_of(one) == option; });
}

GivenShape shape_given(const std::vector<std::string>& given) {
  GivenShape shape;
  for (const auto& argument : given) {
    if (name_of(argument) != "--nodes") continue;
    int nodes = 0;
    const auto text = std::string_view(argument).substr(argument.find('=') + 1);
    std::from_chars(text.data(), text.data() + text.size(), nodes);
    if (nodes > 0) shape.nodes = nodes;
  }
  shape.gpus = is_given(given, "--gpu") || is_given(given, "--mig");
  shape.type = is_given(given, "--type") || is_given(given, "--mig");
  shape.memory = is_given(given, "--mem");
  shape.time = is_given(given, "--time");
  shape.checkpoint = is_given(given, "--checkpoint");
  for (const auto* option : {"--nodes", "--nodelist", "--splits", "--single-node"}) {
    shape.placed = shape.placed || is_given(given, option);
  }
  return shape;
}

/// Slurm lets a script requeue its own job, unless the site has JobRequeue=0; rv only with --requeue.
void note_own_requeue(const BatchScript& script, const std::vector<std::string>& given, BatchOptions& found) {
  if (contains(found.options, "--requeue") || is_given(given, "--requeue")) return;
  const auto at = script.text.find("scontrol requeue");
  if (at == std::string::npos) return;
  const auto line =
      static_cast<int>(std::count(script.text.begin(), script.text.begin() + static_cast<long>(at), '\n')) + 1;
  found.mapping.push_back(
      {found.mapping.size(), line, "scontrol requeue", "refused by Slurm; #SBATCH --requeue allows it"});
}

}  // namespace

std::optional<BatchCall> batch_call(const std::vector<std::string>& words, const std::vector<std::string>& given,
                                    const BatchCommand& command) {
  if (is_given(given, "--interpreter")) return std::nullopt;
  auto script = batch_script(words);
  if (!script) return std::nullopt;
  if (is_given(given, "--container")) {
    throw Error(fmt::format("--container can't be combined with {}, which has #SBATCH lines", script->name),
                "start the container in the script, or write the program: rv run --container IMAGE bash SCRIPT",
                ExitCode::usage);
  }
  auto shape = shape_given(given);
  shape.follows = command.follows;
  const auto check = [&](const std::string& option) {
    if (!command.arrays && name_of(option) == "--array") {
      throw Error(fmt::format("rv {} does not run arrays", command.name), "use rv run", ExitCode::usage);
    }
    parse_options({option}, command.options);
  };
  auto found = batch_options(parse_directives(script->text, script->name), script->name, shape, check);
  note_own_requeue(*script, given, found);
  auto arguments = overridden(found.options, given);
  return BatchCall{.script = std::move(*script), .found = std::move(found), .arguments = std::move(arguments)};
}

std::vector<std::string> batch_argv(const std::vector<std::string>& words) {
  std::vector<std::string> argv{"bash", "-c", "exec bash \"$RV_RUN_DIR/batch/start\" \"$@\""};
  argv.insert(argv.end(), words.begin(), words.end());
  return argv;
}

templates::Batch batch_of(const BatchCall& call, bool array) {
  auto batch = call.found.batch;
  batch.interpreter = call.script.interpreter;
  // Slurm's own names, if the script has none.
  if (batch.output.empty()) batch.output = array ? "slurm-%A_%a.out" : "slurm-%j.out";
  return batch;
}

void write_batch(const std::string& run_folder, const BatchCall& call, const templates::Batch& batch) {
  const std::string folder = run_folder + "/batch";
  os::make_folder(folder);
  os::write_file(folder + "/script", call.script.text, 0700);
  os::write_file(folder + "/start", templates::render("batch_start.bash", {{"name", batch.name},
                                                                           {"variables", batch.variables},
                                                                           {"folder", batch.folder},
                                                                           {"output", batch.output},
                                                                           {"error", batch.error},
                                                                           {"input", batch.input},
                                                                           {"interpreter", batch.interpreter}}));
}

std::string mapping_text(const BatchCall& call) {
  std::size_t widest = 0;
  for (const auto& one : call.found.mapping) widest = std::max(widest, one_line(one.typed).size());
  std::string text = fmt::format("rv: how rv uses the #SBATCH lines of {}:\n", one_line(call.script.name));
  for (const auto& one : call.found.mapping) {
    const bool replaced = one.becomes.starts_with("--") && !contains(call.arguments, one.becomes) &&
                          one.becomes.find(' ') == std::string::npos;
    const auto place = one.line > 0 ? fmt::format("line {:<3}", one.line) : std::string("no line ");
    text += fmt::format("  {} {:<{}}  {}{}\n", place, one_line(one.typed), std::min<std::size_t>(widest, 40),
                        one_line(one.becomes), replaced ? ", replaced on the command line" : "");
  }
  return text;
}

bool shown_before(const BatchCall& call, const std::string& home) {
  std::string all;
  for (const auto& one : call.found.mapping) all += one.typed + "\n" + one.becomes + "\n";
  const std::string mark = fmt::format("{}/cache/batch/{}", home, sha256_hex(all).substr(0, 16));
  std::error_code fault;
  if (std::filesystem::exists(mark, fault)) return true;
  try {
    os::make_folder(home + "/cache/batch");
    os::write_file(mark, "");
  } catch (const Error&) {
    return false;  // it is shown once more
  }
  return false;
}

}  // namespace rv::cli
