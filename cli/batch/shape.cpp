#include "cli/batch/shape.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/text.h"
#include "shared/number.h"

namespace rv::cli {
namespace {

struct GpuCount {
  const Directive* directive;
  int count;
  std::string type;
};

std::optional<int> number(std::string_view text) {
  return number_in<int>(text, 0);
}

class ShapeReader {
 public:
  ShapeReader(const LastOptions& options, const std::string& script, const GivenShape& given)
      : options_(options), script_(script), given_(given) {}

  ScriptShape read() {
    read_nodes(given_.nodes);
    read_tasks(given_.nodes);
    read_gpus();
    read_cpus();
    if (!given_.memory) read_memory();
    return shape_;
  }

 private:
  [[noreturn]] void refuse(const Directive& directive, const std::string& message, const std::string& advice) const {
    refuse_line(script_, directive, message, advice);
  }

  [[noreturn]] void contradict(const Directive& one, const Directive& other, const std::string& why) const {
    refuse(one, fmt::format("{} contradicts {} in line {}{}", one.typed, other.typed, other.line, why),
           "remove one of them");
  }

  int count(const Directive& directive, std::string_view text, int least = 1) const {
    const auto value = number(text);
    if (!value || *value < least || *value > 100'000) {
      refuse(directive, fmt::format("{}: expected a number from {} on", directive.typed, least),
             fmt::format("write #SBATCH --{}={}", directive.option->name, std::max(least, 1)));
    }
    return *value;
  }

  std::optional<int> count_of(std::string_view option, int least = 1) const {
    const auto* directive = options_.find(option);
    if (directive == nullptr) return std::nullopt;
    return count(*directive, directive->value, least);
  }

  void read_nodes(std::optional<int> given) {
    const auto* directive = options_.find("nodes");
    shape_.nodes_given = given || directive != nullptr;
    if (given) {
      shape_.nodes = *given;
    } else if (directive != nullptr) {
      const auto dash = directive->value.find('-');
      const int least = count(*directive, std::string_view(directive->value).substr(0, dash));
      if (dash != std::string::npos &&
          count(*directive, std::string_view(directive->value).substr(dash + 1)) != least) {
        refuse(*directive, fmt::format("{}: rv plans with one number of nodes", directive->typed),
               fmt::format("write #SBATCH --nodes={}, or rv run --nodes {}", least, least));
      }
      shape_.nodes = least;
    }
  }

  void read_tasks(std::optional<int> given_nodes) {
    const auto* all = options_.find("ntasks");
    const auto per_node = count_of("ntasks-per-node", 0).value_or(0);
    shape_.tasks_given = all != nullptr || per_node > 0;
    if (per_node > 0) shape_.tasks_per_node = per_node;
    if (all == nullptr || (given_nodes && per_node > 0)) return;
    const int tasks = count(*all, all->value);
    if (per_node > 0 && !shape_.nodes_given && tasks % per_node == 0) {
      shape_.nodes = tasks / per_node;
      shape_.nodes_given = shape_.nodes > 1;
    }
    if (per_node > 0 && tasks != per_node * shape_.nodes) {
      contradict(*all, *options_.find("ntasks-per-node"), fmt::format(" on {}", counted(shape_.nodes, "node")));
    }
    if (tasks % shape_.nodes != 0) {
      refuse(*all, fmt::format("{} does not divide evenly among {}", all->typed, counted(shape_.nodes, "node")),
             "rv starts the same number of tasks on each node: change one of the numbers");
    }
    shape_.tasks_per_node = tasks / shape_.nodes;
  }

  /// "2", "a100:2", "a100".
  GpuCount gpus_in(const Directive& directive, std::string_view text) const {
    const auto colon = text.find(':');
    if (colon == std::string_view::npos) {
      if (const auto plain = number(text)) return {&directive, *plain, ""};
      if (!text.empty()) return {&directive, 1, std::string(text)};
    } else if (const auto amount = number(text.substr(colon + 1)); amount && colon > 0) {
      return {&directive, *amount, std::string(text.substr(0, colon))};
    }
    refuse(directive, fmt::format("{}: expected a number of GPUs", directive.typed),
           "write it like #SBATCH --gpus-per-node=a100:2");
  }

  GpuCount gpus_of_gres(const Directive& gres) const {
    std::string_view rest = gres.value;
    if (rest == "none" || rest == "NONE") return {&gres, 0, ""};
    const bool gpus = rest == "gpu" || rest.starts_with("gpu:");
    if (!gpus || rest.find(',') != std::string_view::npos) {
      refuse(gres, fmt::format("{}: rv plans GPUs of one type, and no other gres", gres.typed),
             "leave gpu:TYPE:N in the line, or submit the script with sbatch");
    }
    if (rest == "gpu") return {&gres, 1, ""};
    return gpus_in(gres, rest.substr(4));
  }

  /// Why two counts of GPUs contradict each other: ": 2 GPUs against 4 on 2 nodes".
  std::string difference(const GpuCount& one, const GpuCount& other) const {
    if (one.type != other.type) {
      return one.type.empty() || other.type.empty() ? ": only one of them names a GPU type"
                                                    : ": they name two GPU types";
    }
    const bool per_task = one.directive->option->name == "gpus-per-task";
    const int tasks = shape_.nodes * shape_.tasks_per_node;
    return fmt::format(": {}{} against {}{}", counted(one.count, "GPU"),
                       per_task ? " for " + counted(tasks, "task") : "", other.count,
                       shape_.nodes > 1 ? " on " + counted(shape_.nodes, "node") : "");
  }

  void read_gpus() {
    std::vector<GpuCount> totals;
    if (const auto* gres = options_.find("gres")) {
      auto one = gpus_of_gres(*gres);
      one.count *= shape_.nodes;
      totals.push_back(std::move(one));
    }
    const auto add = [&](std::string_view option, int times) {
      const auto* directive = options_.find(option);
      if (directive == nullptr) return;
      if (directive->value.find(',') != std::string::npos) {
        refuse(*directive, fmt::format("{}: rv plans GPUs of one type", directive->typed),
               "leave one type in the line");
      }
      auto one = gpus_in(*directive, directive->value);
      one.count *= times;
      totals.push_back(std::move(one));
    };
    add("gpus", 1);
    add("gpus-per-node", shape_.nodes);
    add("gpus-per-task", shape_.nodes * shape_.tasks_per_node);
    for (const auto& one : totals) {
      if ((!given_.gpus && one.count != totals.front().count) || (!given_.type && one.type != totals.front().type)) {
        contradict(*one.directive, *totals.front().directive, difference(one, totals.front()));
      }
    }
    if (totals.empty()) return;
    shape_.gpus = totals.front().count;
    shape_.gpu_type = totals.front().type;
    if (!given_.gpus && shape_.gpus % shape_.nodes != 0) {
      refuse(*totals.front().directive,
             fmt::format("{} does not divide evenly among {}", totals.front().directive->typed,
                         counted(shape_.nodes, "node")),
             "every node gets the same number of GPUs: change one of the numbers");
    }
  }

  int gpus_per_node() const { return shape_.gpus / shape_.nodes; }

  void read_cpus() {
    const auto* per_task = options_.find("cpus-per-task");
    const auto* per_gpu = options_.find("cpus-per-gpu");
    if (per_task != nullptr && per_gpu != nullptr) contradict(*per_gpu, *per_task, "");
    if (per_task != nullptr) {
      shape_.cpus_per_node = count(*per_task, per_task->value) * shape_.tasks_per_node;
    } else if (per_gpu != nullptr) {
      shape_.cpus_per_node = count(*per_gpu, per_gpu->value) * std::max(1, gpus_per_node());
    } else if (shape_.tasks_per_node > 1 || options_.find("mem-per-cpu") != nullptr) {
      shape_.cpus_per_node = shape_.tasks_per_node;  // one each, as for sbatch
    }
  }

  void read_memory() {
    const Directive* found = nullptr;
    int times = 1;
    for (const auto& [option, factor] :
         {std::pair{"mem", 1}, std::pair{"mem-per-cpu", shape_.cpus_per_node.value_or(1)},
          std::pair{"mem-per-gpu", gpus_per_node()}}) {
      const auto* directive = options_.find(option);
      if (directive == nullptr) continue;
      if (found != nullptr) contradict(*directive, *found, "");
      found = directive;
      times = factor;
    }
    if (found == nullptr) return;
    const auto size = parse_memory(found->value);
    if (!size) {
      refuse(*found, fmt::format("{}: expected an amount of memory", found->typed), "write it like #SBATCH --mem=64G");
    }
    if (size->count == 0 && found->option->name != "mem") {
      refuse(*found, fmt::format("{}: expected an amount of memory above 0", found->typed),
             "write #SBATCH --mem=0 for all memory of a node");
    }
    shape_.memory = Mebibytes{size->count * std::max(1, times)};
  }

  const LastOptions& options_;
  const std::string& script_;
  const GivenShape& given_;
  ScriptShape shape_;
};

}  // namespace

const Directive* LastOptions::find(std::string_view option) const {
  const auto last = std::find_if(directives_.rbegin(), directives_.rend(),
                                 [&](const Directive& one) { return one.option->name == option; });
  return last == directives_.rend() ? nullptr : &*last;
}

void refuse_line(const std::string& script, const Directive& directive, const std::string& message,
                 const std::string& advice) {
  throw Error(fmt::format("{}:{}: {}", script, directive.line, one_line(message)), advice, ExitCode::usage);
}

ScriptShape script_shape(const LastOptions& options, const std::string& script, const GivenShape& given) {
  return ShapeReader(options, script, given).read();
}

}  // namespace rv::cli
