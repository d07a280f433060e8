#include "cli/batch/batch_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/memory_size.h"
#include "base/terminal_text.h"
#include "base/text.h"
#include "base/walltime.h"
#include "cli/batch/shape.h"

namespace rv::cli {
namespace {

using planner::SbatchUse;
using Pair = std::pair<std::string_view, std::string_view>;

// Options that mean the same for rv, with rv's names.
constexpr std::array<Pair, 11> same{{{"account", "account"},
                                     {"array", "array"},
                                     {"constraint", "constraint"},
                                     {"exclude", "exclude"},
                                     {"job-name", "name"},
                                     {"licenses", "licenses"},
                                     {"nodelist", "nodelist"},
                                     {"partition", "partition"},
                                     {"qos", "qos"},
                                     {"requeue", "requeue"},
                                     {"time", "time"}}};
// The options from which ScriptShape is computed.
constexpr std::array<std::string_view, 11> numbers{"nodes",        "ntasks",        "ntasks-per-node", "gres",
                                                   "gpus",         "gpus-per-node", "gpus-per-task",   "cpus-per-task",
                                                   "cpus-per-gpu", "mem",           "mem-per-cpu"};
// Options of sbatch's own output, which rv reads, and options that every run of rv implies.
constexpr std::array<std::string_view, 5> not_needed{"ignore-pbs", "no-requeue", "parsable", "quiet", "verbose"};

constexpr std::array<std::string_view, 2> outputs{"output", "error"};

template <class List>
bool is_in(const List& list, std::string_view name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

class Translator {
 public:
  Translator(const std::vector<Directive>& directives, const std::string& name, const GivenShape& given,
             const std::function<void(const std::string&)>& check)
      : directives_(directives), last_(directives), name_(name), given_(given), check_(check) {}

  BatchOptions translate() {
    shape_ = script_shape(last_, name_, given_);
    for (const auto& directive : directives_) {
      // If an option is repeated, sbatch uses the last one.
      if (&directive == last_.find(directive.option->name)) take(directive);
    }
    take_shape();
    take_variables();
    // One file for both, however it is written: "-o run.log -e ./run.log".
    if (std::filesystem::path(out_.batch.error).lexically_normal() ==
        std::filesystem::path(out_.batch.output.empty() ? "slurm-%j.out" : out_.batch.output).lexically_normal()) {
      out_.batch.error.clear();
    }
    if (out_.batch.name.empty()) out_.batch.name = name_.substr(name_.rfind('/') + 1);
    return std::move(out_);
  }

 private:
  [[noreturn]] void refuse(const Directive& directive, const std::string& message, const std::string& advice) const {
    refuse_line(name_, directive, message, advice);
  }

  void map(const Directive& directive, std::string becomes) {
    const auto place = static_cast<std::size_t>(&directive - directives_.data());
    out_.mapping.push_back({place, directive.line, directive.typed, std::move(becomes)});
  }

  /// An option of rv, once it has been found to be valid.
  void give(const Directive& directive, std::string option) {
    check(directive, option);
    map(directive, option);
    out_.options.push_back(std::move(option));
  }

  void check(const Directive& directive, const std::string& option) const {
    try {
      check_(option);
    } catch (const Error& fault) {
      refuse(directive, fmt::format("{}: {}", directive.typed, fault.what()), fault.advice());
    }
  }

  void take(const Directive& directive) {
    const auto name = directive.option->name;
    const auto mapped = std::find_if(same.begin(), same.end(), [&](const Pair& one) { return one.first == name; });
    if (mapped != same.end()) return take_same(directive, mapped->second);
    if (is_in(numbers, name) || name == "mem-per-gpu") return;  // together, in take_shape()
    if (is_in(not_needed, name)) return map(directive, "not needed");
    if (name == "dependency") return take_dependency(directive);
    if (name == "signal") return take_signal(directive);
    if (name == "exclusive" && directive.value.empty()) return give(directive, "--exclusive");
    if (name == "wait") return given_.follows ? give(directive, "--follow") : map(directive, "not needed");
    if (take_file(directive)) return;
    if (directive.option->use != SbatchUse::own) return take_passed(directive);
    refuse(directive, fmt::format("{}: rv can't keep this option", directive.typed),
           std::string(directive.option->instead));
  }

  void take_same(const Directive& directive, std::string_view option) {
    if (option == "requeue") {
      if (const auto* other = last_.find("no-requeue")) {
        refuse(directive, fmt::format("--requeue contradicts --no-requeue in line {}", other->line),
               "remove one of them");
      }
      return give(directive, "--requeue");
    }
    if (directive.value.empty()) {
      refuse(directive, fmt::format("{} has no value", directive.typed),
             fmt::format("write #SBATCH --{}=VALUE, or remove the line", directive.option->name));
    }
    if (option == "time" && given_.time) return map(directive, "--time=" + directive.value);
    if (option == "time" && !parse_walltime(directive.value)) {
      const auto value = lower(directive.value);
      const bool endless = value == "unlimited" || value == "infinite" || value == "0";
      refuse(directive, fmt::format("{}: {} a time limit", directive.typed, endless ? "rv needs" : "expected"),
             "write it as MM, HH:MM:SS or D-HH:MM:SS, or call rv with --time TIME");
    }
    if (option == "name") out_.batch.name = directive.value;
    give(directive, fmt::format("--{}={}", option, directive.value));
  }

  void take_dependency(const Directive& directive) {
    const auto colon = directive.value.find(':');
    const auto kind = directive.value.substr(0, colon);
    const auto job = colon == std::string::npos ? std::string() : directive.value.substr(colon + 1);
    const bool one = !job.empty() && job.find_first_not_of("0123456789_") == std::string::npos;
    if (!one || (kind != "afterok" && kind != "afterany")) {
      refuse(directive, fmt::format("{}: rv waits for one run, by afterok:ID or afterany:ID", directive.typed),
             std::string(directive.option->instead));
    }
    give(directive, fmt::format("--after={}{}", job, kind == "afterany" ? ":any" : ""));
  }

  /// [R|B|RB:]NAME[@TIME].
  void take_signal(const Directive& directive) {
    if (given_.checkpoint) return map(directive, "--checkpoint warns instead");
    const auto colon = directive.value.find(':');
    const bool to_script =
        colon != std::string::npos && directive.value.substr(0, colon).find('B') != std::string::npos;
    const auto begin = colon == std::string::npos ? 0 : colon + 1;
    auto signal = directive.value.substr(begin, directive.value.find('@', begin) - begin);
    if (signal.starts_with("SIG")) signal.erase(0, 3);
    const bool plain = !signal.empty() && std::all_of(signal.begin(), signal.end(), [](unsigned char c) {
      return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    });
    if (!plain) {
      refuse(directive, fmt::format("{}: expected the name of a signal", directive.typed),
             "write it like #SBATCH --signal=B:USR1@60");
    }
    if (to_script) out_.batch.signal = signal;
    out_.sbatch.push_back("signal=" + directive.value);
    map(directive, to_script ? "passed to sbatch, and on to the script" : "passed to sbatch");
  }

  bool take_file(const Directive& directive) {
    const auto name = directive.option->name;
    if (name == "open-mode") {
      if (directive.value != "truncate" && directive.value != "t") {
        refuse(directive, fmt::format("{}: rv can't append to an existing output file", directive.typed),
               "remove the line: each run gets a new file");
      }
      map(directive, "not needed");
      return true;
    }
    std::string* const file = name == "output"  ? &out_.batch.output
                              : name == "error" ? &out_.batch.error
                              : name == "input" ? &out_.batch.input
                              : name == "chdir" ? &out_.batch.folder
                                                : nullptr;
    if (file == nullptr) return false;
    if (directive.value.empty() || has_control_character(directive.value)) {
      refuse(directive, fmt::format("--{}: the path is {}", name, directive.value.empty() ? "empty" : "not one line"),
             "write a path without control characters");
    }
    std::error_code ignored;
    if (is_in(outputs, name) &&
        (directive.value.ends_with('/') || std::filesystem::is_directory(directive.value, ignored))) {
      refuse(directive,
             fmt::format("{}: {} is a folder, and sbatch writes to a file", directive.typed, directive.value),
             fmt::format("write #SBATCH --{}={}%j.out", name,
                         directive.value + (directive.value.ends_with('/') ? "" : "/")));
    }
    *file = directive.value;
    map(directive, name == "chdir"   ? "the script's working folder"
                   : name == "input" ? "the script's stdin"
                                     : "also written; rv logs shows the same");
    return true;
  }

  void take_passed(const Directive& directive) {
    give(directive, fmt::format("--sbatch={}{}", directive.option->name,
                                directive.has_value ? "=" + directive.value : std::string()));
  }

  /// Several directives make the same options: they are shown behind the first of them.
  void give_number(std::initializer_list<std::string_view> from, const std::vector<std::string>& options) {
    bool shown = false;
    for (const auto& directive : directives_) {
      const bool counts = &directive == last_.find(directive.option->name);
      if (!counts || !is_in(from, directive.option->name)) continue;
      if (shown) {
        map(directive, "counted above");
      } else {
        for (const auto& option : options) check(directive, option);
        map(directive, fmt::format("{}", fmt::join(options, " ")));
      }
      shown = true;
    }
    out_.options.insert(out_.options.end(), options.begin(), options.end());
  }

  void take_shape() {
    if (shape_.nodes_given) {
      give_number({"nodes"}, {fmt::format("--nodes={}", shape_.nodes)});
    } else if (!given_.placed) {
      out_.options.emplace_back("--single-node");
    }
    if (shape_.tasks_given) {
      give_number({"ntasks", "ntasks-per-node"}, {fmt::format("--procs-per-node={}", shape_.tasks_per_node)});
    }
    take_gpus();
    if (shape_.cpus_per_node) {
      give_number({"cpus-per-task", "cpus-per-gpu"}, {fmt::format("--cpus={}", *shape_.cpus_per_node)});
    }
    if (shape_.memory) {
      give_number({"mem", "mem-per-cpu", "mem-per-gpu"}, {"--mem=" + format_memory(*shape_.memory)});
    }
    std::sort(out_.mapping.begin(), out_.mapping.end(),
              [](const auto& one, const auto& other) { return one.place < other.place; });
  }

  void take_gpus() {
    if (shape_.gpus == 0) {
      if (given_.gpus) return;
      const auto shown = out_.mapping.size();
      give_number({"gpus", "gpus-per-node", "gpus-per-task", "gres"}, {"--gpu=0"});
      // Shown once even where no line says it.
      if (out_.mapping.size() == shown) out_.mapping.push_back({directives_.size(), 0, "no GPUs", "--gpu=0"});
      return;
    }
    std::vector<std::string> options{fmt::format("--gpu={}", shape_.gpus)};
    if (!shape_.gpu_type.empty()) options.push_back("--type=" + shape_.gpu_type);
    give_number({"gpus", "gpus-per-node", "gpus-per-task", "gres"}, options);
  }

  /// sbatch sets some variables only for options that were given, and rv's jobs have all of them.
  void take_variables() {
    auto& variables = out_.batch.variables;
    if (!shape_.tasks_given) {
      variables.insert(variables.end(), {"SLURM_NTASKS", "SLURM_NPROCS"});
    }
    if (last_.find("ntasks-per-node") == nullptr) variables.emplace_back("SLURM_NTASKS_PER_NODE");
    if (last_.find("cpus-per-task") == nullptr) variables.emplace_back("SLURM_CPUS_PER_TASK");
    const auto keep = [&](std::string_view option, std::string_view variable) {
      const auto* directive = last_.find(option);
      if (directive != nullptr) variables.push_back(fmt::format("{}={}", variable, directive->value));
    };
    keep("gpus", "SLURM_GPUS");
    keep("gpus-per-node", "SLURM_GPUS_PER_NODE");
    keep("gpus-per-task", "SLURM_GPUS_PER_TASK");
    keep("cpus-per-gpu", "SLURM_CPUS_PER_GPU");
    const auto keep_memory = [&](std::string_view option, std::string_view variable) {
      const auto* directive = last_.find(option);
      if (directive == nullptr) return;
      variables.emplace_back("SLURM_MEM_PER_NODE");
      const auto size = parse_memory(directive->value);
      if (size) variables.push_back(fmt::format("{}={}", variable, size->count));
    };
    keep_memory("mem-per-cpu", "SLURM_MEM_PER_CPU");
    keep_memory("mem-per-gpu", "SLURM_MEM_PER_GPU");
  }

  const std::vector<Directive>& directives_;
  LastOptions last_;
  const std::string& name_;
  const GivenShape& given_;
  const std::function<void(const std::string&)>& check_;
  ScriptShape shape_;
  BatchOptions out_;
};

}  // namespace

BatchOptions batch_options(const std::vector<Directive>& directives, const std::string& name, const GivenShape& given,
                           const std::function<void(const std::string& option)>& check) {
  return Translator(directives, name, given, check).translate();
}

}  // namespace rv::cli
