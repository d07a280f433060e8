#include "cli/kubernetes/job_order_of.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/did_you_mean.h"
#include "base/error.h"
#include "base/os/random_bytes.h"
#include "base/wrong_value.h"
#include "cli/options/option_values.h"

namespace rv::cli {
namespace {

using kubernetes::JobOrder;
using kubernetes::Operator;

Operator operator_of(const std::string& word) {
  if (word == "job") return Operator::job;
  if (word == "jobset") return Operator::jobset;
  if (word == "pytorchjob") return Operator::pytorchjob;
  throw wrong_value("--operator", word, "job, jobset or pytorchjob" + suggestion(word, {"job", "jobset", "pytorchjob"}),
                    "write --operator job");
}

/// "KEY=VALUE". Throws for a text without "=".
std::pair<std::string, std::string> pair_of(const std::string& option, const std::string& text, const char* example) {
  const auto equals = text.find('=');
  if (equals == std::string::npos || equals == 0) {
    throw wrong_value(option, text, "a name, \"=\" and a value", fmt::format("write it like {} {}", option, example));
  }
  return {text.substr(0, equals), text.substr(equals + 1)};
}

kubernetes::Toleration toleration_of(const std::string& text) {
  kubernetes::Toleration one;
  const auto colon = text.rfind(':');
  one.key = text.substr(0, colon);
  if (colon != std::string::npos) one.effect = text.substr(colon + 1);
  const std::vector<std::string> effects = {"NoSchedule", "PreferNoSchedule", "NoExecute"};
  if (!one.effect.empty() && std::find(effects.begin(), effects.end(), one.effect) == effects.end()) {
    throw wrong_value("--toleration", text, "an effect after \":\"" + suggestion(one.effect, effects),
                      "write KEY=VALUE:NoSchedule, or remove the effect");
  }
  const auto equals = one.key.find('=');
  if (equals != std::string::npos) {
    one.value = one.key.substr(equals + 1);
    one.key.resize(equals);
  }
  return one;
}

std::vector<std::pair<std::string, int>> resources_of(const std::vector<std::string>& texts) {
  std::vector<std::pair<std::string, int>> list;
  for (const auto& text : texts) {
    if (text.find('=') == std::string::npos) {
      list.emplace_back(text, 1);
      continue;
    }
    const auto [name, count] = pair_of("--rdma", text, "rdma/hca=1");
    list.emplace_back(name, count_value("--rdma", count, 1, 1024));
  }
  return list;
}

/// What no order for Kubernetes can say: these are Slurm's.
void refuse_slurm_words(const AcceptOptions& options) {
  const auto& typed = *options.request;
  const auto refuse = [](const std::string& word, const char* advice) {
    throw Error(fmt::format("{} and --kubernetes can't be combined", word), advice, ExitCode::usage);
  };
  const std::vector<std::pair<bool, const char*>> words = {{!typed.partitions.empty(), "--partition"},
                                                           {!typed.account.empty(), "--account"},
                                                           {!typed.qos.empty(), "--qos"},
                                                           {!typed.constraint.empty(), "--constraint"},
                                                           {!typed.nodelist.empty(), "--nodelist"},
                                                           {!typed.exclude.empty(), "--exclude"},
                                                           {!typed.types.empty(), "--type"},
                                                           {options.local, "--local"},
                                                           {options.hosts.has_value(), "--hosts"}};
  for (const auto& [said, word] : words) {
    if (said) refuse(word, "choose nodes by their labels: --node-selector nvidia.com/gpu.product=NVIDIA-H200");
  }
  if (!options.container.image.empty()) refuse("--container", "name the pods' image with --image");
  if (!options.container.mounts.empty())
    refuse("--container-mount", "to mount a folder of the nodes, add a volume to the printed manifests");
}

}  // namespace

JobOrder job_order_of(const AcceptOptions& options) {
  refuse_slurm_words(options);
  const auto& typed = *options.request;
  const auto& words = *options.kubernetes;
  JobOrder order;
  order.space = words.space;
  order.by = operator_of(words.starter);
  order.nodes = typed.nodes.value_or(1);
  if (typed.gpus && (options.gpus_per_node || *typed.gpus % order.nodes != 0)) {
    throw Error("--kubernetes counts GPUs by node", "write --nodes 4 --gpus-per-node 8", ExitCode::usage);
  }
  order.gpus_per_node = typed.gpus ? *typed.gpus / order.nodes : options.gpus_per_node.value_or(8);
  if (options.device == "cpu") order.gpus_per_node = 0;
  order.gpu_resource = words.gpu_resource;
  order.image = words.image;
  order.pull_secret = words.pull_secret;
  order.resources = resources_of(words.rdma);
  order.cpus = typed.cpus;
  if (typed.memory) order.memory_mib = typed.memory->count;
  if (words.shared_memory) order.shared_memory_mib = words.shared_memory->count;
  for (const auto& text : words.node_selector) {
    order.node_selector.push_back(pair_of("--node-selector", text, "accelerator=nvidia-gpu"));
  }
  for (const auto& text : words.tolerations) order.tolerations.push_back(toleration_of(text));
  for (const auto& text : words.variables) {
    order.variables.push_back(pair_of("--env", text, "NCCL_SOCKET_IFNAME=eth0"));
  }
  order.name = typed.name.empty() ? "rv-accept-" + os::random_hex(3).substr(0, 5) : typed.name;
  order.limit = typed.time.value_or(takes_full_length(options) ? std::chrono::hours(4) : std::chrono::hours(2));
  if (words.keep) order.keep = *words.keep;
  order.token = os::random_hex(16);
  return order;
}

}  // namespace rv::cli
