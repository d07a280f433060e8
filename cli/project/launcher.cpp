#include "cli/project/launcher.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "base/text.h"
#include "cli/project/file_names.h"
#include "shared/number.h"

namespace rv::project {
namespace {

/// The unit of an option's number.
enum class Counts { nothing, nodes, on_each_node, on_all_nodes };

struct Option {
  std::string_view name;  // "-" for "_" in long ones
  Counts counts;
};

struct Launcher {
  std::string_view name;    // of the program
  std::string_view module;  // behind python -m; empty: none
  bool one_node = false;    // by default
  std::vector<Option> options;
  std::vector<std::string_view> flags;       // take no value; any other option takes one
  std::vector<std::string_view> two_values;  // "-mca KEY VALUE"
};

const std::vector<Launcher>& launchers() {
  static const std::vector<Option> torch = {{"--nnodes", Counts::nodes}, {"--nproc-per-node", Counts::on_each_node}};
  static const std::vector<std::string_view> torch_flags = {"--standalone", "--no-python", "--run-path", "--use-env"};
  static const std::vector<Option> fabric = {{"--num-nodes", Counts::nodes}, {"--devices", Counts::on_each_node}};
  // The processes of MPI need not have a GPU each: only its nodes count.
  static const std::vector<std::string_view> mpi_flags = {"--oversubscribe",
                                                          "-oversubscribe",
                                                          "--nooversubscribe",
                                                          "--allow-run-as-root",
                                                          "-q",
                                                          "--quiet",
                                                          "-v",
                                                          "--verbose",
                                                          "--display-map",
                                                          "-display-map",
                                                          "--report-bindings",
                                                          "-report-bindings",
                                                          "--tag-output",
                                                          "-tag-output",
                                                          "--use-hwthread-cpus",
                                                          "--bind-to-core",
                                                          "-bysocket",
                                                          "-bycore",
                                                          "-l"};
  static const std::vector<std::string_view> mpi_pairs = {"--mca", "-mca", "--gmca", "-gmca", "-genv", "-env"};
  static const std::vector<Launcher> all = {
      {"torchrun", "torch.distributed.run", true, torch, torch_flags, {}},
      {"", "torch.distributed.launch", true, torch, torch_flags, {}},
      {"tune run", "", false, torch, torch_flags, {}},
      {"colossalai run", "", false, torch, torch_flags, {}},
      {"fabric run", "", true, fabric, {}, {}},
      {"lightning run model", "", true, fabric, {}, {}},
      {"accelerate launch",
       "accelerate.commands.launch",
       false,  // missing numbers are in its own configuration
       {{"--num-machines", Counts::nodes}, {"--num-processes", Counts::on_all_nodes}},
       {"--multi-gpu", "--cpu", "--tpu", "--use-deepspeed", "--use-fsdp", "--use-megatron-lm", "--use-xpu", "-q",
        "--quiet", "--same-network", "--no-python", "--debug", "--tpu-cluster", "--use-parallelism-config"},
       {}},
      {"deepspeed",
       "deepspeed.launcher.runner",
       false,  // all that its hosts file names
       {{"--num-nodes", Counts::nodes}, {"--num-gpus", Counts::on_each_node}},
       {"--no-python", "--no-local-rank", "--no-ssh", "--no-ssh-check", "--force-multi", "--save-pid",
        "--bind-cores-to-rank", "--elastic-training", "--enable-each-rank-log-off"},
       {}},
      {"horovodrun",
       "",
       false,
       {{"-np", Counts::on_all_nodes}, {"--num-proc", Counts::on_all_nodes}},
       {"--verbose", "--disable-cache", "--gloo", "--mpi", "--autotune"},
       {}},
      {"composer",
       "",
       false,
       {{"-n", Counts::on_each_node}, {"--nproc", Counts::on_each_node}, {"--world-size", Counts::on_all_nodes}},
       {"-v", "--verbose"},
       {}},
      {"mpirun", "", false, {}, mpi_flags, mpi_pairs},
      {"mpiexec", "", false, {}, mpi_flags, mpi_pairs},
      {"srun",
       "",
       false,
       {{"-N", Counts::nodes}, {"--nodes", Counts::nodes}},
       {"-l", "--label", "-u", "--unbuffered", "--exclusive", "--pty", "--overlap", "-K", "--kill-on-bad-exit", "-v",
        "-q", "-Q", "--quiet", "-s", "--oversubscribe", "-O", "--overcommit"},
       {}}};
  return all;
}

/// Replaces "_" by "-" in a long option: argparse and Slurm accept both.
std::string spelled(std::string_view name) {
  std::string text(name);
  if (text.starts_with("--")) std::replace(text.begin(), text.end(), '_', '-');
  return text;
}

bool contains_name(const std::vector<std::string_view>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::optional<int> number(std::string_view text) {
  return number_in<int>(text, 1);
}

/// "2", "1:4" (torchrun), "2-4" (srun).
std::optional<CountRange> range(std::string_view text) {
  const auto between = text.find_first_of(":-", 1);
  const auto first = number(text.substr(0, between));
  if (!first || between == std::string_view::npos)
    return first ? std::optional(CountRange{*first, *first}) : std::nullopt;
  const auto last = number(text.substr(between + 1));
  return last && *first <= *last ? std::optional(CountRange{*first, *last}) : std::nullopt;
}

/// The position of a launcher and the number of arguments that name it.
struct Found {
  const Launcher* launcher = nullptr;
  std::size_t end = 0;
};

/// How many words from `at` on are the launcher's name ("accelerate launch": 2); 0: they are not.
std::size_t words_of_name(const Launcher& launcher, const std::vector<std::string>& words, std::size_t at) {
  std::string_view rest = launcher.name;
  std::size_t count = 0;
  for (; !rest.empty(); ++count) {
    if (at + count >= words.size()) return 0;
    const std::string_view part = rest.substr(0, rest.find(' '));
    if (part != (count == 0 ? base_name(words[at]) : words[at + count])) return 0;
    rest.remove_prefix(std::min(part.size() + 1, rest.size()));
  }
  return count;
}

/// The first launcher from `begin` on and before the first script: others before it (env, nsys profile, uv run) only
/// start it.
Found find_launcher(const std::vector<std::string>& words, std::size_t begin) {
  constexpr std::array<std::string_view, 5> shells{"bash", "sh", "zsh", "dash", "ksh"};
  for (std::size_t i = begin; i < words.size(); ++i) {
    const auto name = base_name(words[i]);
    // The text after a shell's -c belongs to the shell.
    if (std::find(shells.begin(), shells.end(), name) != shells.end() || name.ends_with(".py")) return {};
    for (const auto& one : launchers()) {
      const std::size_t named = words_of_name(one, words, i);
      const bool module = !one.module.empty() && i > 0 && words[i - 1] == "-m" && words[i] == one.module;
      if (named > 0 || module) return {&one, i + std::max<std::size_t>(named, 1)};
    }
  }
  return {};
}

class Reader {
 public:
  explicit Reader(const Launcher& launcher) : launcher_(launcher) {
    counts_.launcher = launcher.name.empty() ? launcher.module : launcher.name;
  }

  /// Reads up to the program, which is the first word that is neither an option nor its value, and returns its place.
  std::size_t read(const std::vector<std::string>& words, std::size_t begin) {
    std::size_t i = begin;
    for (; i < words.size(); ++i) {
      const auto& word = words[i];
      if (!word.starts_with('-') || word == "--" || word == "-m" || word == "--module") break;
      const auto equals = word.find('=');
      const auto name = spelled(word.substr(0, equals));
      if (equals != std::string::npos) {
        take(name, word.substr(equals + 1), word);
      } else if (joined_value(word)) {
        take(name.substr(0, 2), word.substr(2), word);
      } else if (contains_name(launcher_.two_values, name)) {
        i += 2;
      } else if (!contains_name(launcher_.flags, name) && i + 1 < words.size()) {
        ++i;
        if (words[i].ends_with(".py")) break;  // the option is a flag that is not known here
        take(name, words[i], word + " " + words[i]);
      } else if (name == "--standalone") {
        counts_.nodes = CountRange{1, 1};
      }
    }
    return i;
  }

  std::optional<LauncherCounts> result(bool whole) && {
    const bool said = counts_.nodes || counts_.gpus_per_node || counts_.gpus;
    if (!said) return std::nullopt;
    if (launcher_.one_node && whole && !counts_.nodes && !nodes_said_) counts_.nodes = CountRange{1, 1};
    return std::move(counts_);
  }

 private:
  /// "-N2"
  bool joined_value(const std::string& word) const {
    if (word.size() < 3 || word[1] == '-') return false;
    return std::any_of(launcher_.options.begin(), launcher_.options.end(), [&](const Option& option) {
      return option.name.size() == 2 && word.starts_with(option.name) && number(word.substr(2));
    });
  }

  void take(const std::string& name, const std::string& value, const std::string& said) {
    const auto option =
        std::find_if(launcher_.options.begin(), launcher_.options.end(), [&](const auto& o) { return o.name == name; });
    if (option == launcher_.options.end()) return;
    if (option->counts == Counts::nodes) {
      nodes_said_ = true;
      counts_.nodes = range(value);
      if (!counts_.nodes) return;
    } else {
      const auto count = number(value);
      if (!count) return;  // auto, gpu, -1: as many as there are
      (option->counts == Counts::on_each_node ? counts_.gpus_per_node : counts_.gpus) = count;
    }
    counts_.said += (counts_.said.empty() ? "" : " ") + said;
  }

  const Launcher& launcher_;
  bool nodes_said_ = false;
  LauncherCounts counts_;
};

}  // namespace

bool LauncherCounts::fits(int job_nodes, int job_gpus_per_node) const {
  if (nodes && !nodes->has(job_nodes)) return false;
  if (gpus_per_node && *gpus_per_node != job_gpus_per_node) return false;
  return !gpus || *gpus == job_nodes * job_gpus_per_node;
}

std::string LauncherCounts::shown() const {
  std::string text;
  if (nodes) {
    text = nodes->least == nodes->most ? counted(nodes->least, "node")
                                       : fmt::format("{} to {} nodes", nodes->least, nodes->most);
  }
  const auto with = [&](int count, const char* behind) {
    text += fmt::format("{}{} {}{}", text.empty() ? "" : " with ", count, count == 1 ? "process" : "processes", behind);
  };
  const bool one_node = nodes && nodes->most == 1;
  if (gpus_per_node) with(*gpus_per_node, text.empty() ? " on a node" : one_node ? "" : " each");
  if (gpus) with(*gpus, text.empty() || (one_node && !gpus_per_node) ? "" : " in all");
  return text;
}

std::optional<LauncherCounts> launcher_counts(const std::vector<std::string>& words, bool whole) {
  std::optional<LauncherCounts> all;
  std::size_t next = 0;
  for (auto found = find_launcher(words, next); found.launcher != nullptr; found = find_launcher(words, next)) {
    Reader reader(*found.launcher);
    next = reader.read(words, found.end);
    // Where the program stands among the words, no option of the launcher is among those that could not be read.
    auto counts = std::move(reader).result(whole || next < words.size());
    if (!counts) continue;
    if (!all) {
      all = std::move(counts);
      continue;
    }
    // srun torchrun: the outer one starts the inner one on its nodes.
    all->launcher += " " + counts->launcher;
    all->said += (all->said.empty() || counts->said.empty() ? "" : " ") + counts->said;
    if (!all->nodes) all->nodes = counts->nodes;
    if (!all->gpus_per_node) all->gpus_per_node = counts->gpus_per_node;
    if (!all->gpus) all->gpus = counts->gpus;
  }
  return all;
}

}  // namespace rv::project
