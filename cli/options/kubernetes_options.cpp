#include "cli/options/kubernetes_options.h"

#include "cli/options/command_option.h"
#include "cli/options/option_values.h"
#include "cli/options/value_option.h"

namespace rv::cli {

std::shared_ptr<KubernetesOptions> add_kubernetes_options(CLI::App& command) {
  auto o = std::make_shared<KubernetesOptions>();
  const auto what = "Kubernetes";
  const auto wanted =
      add_flag(command, "--kubernetes", o->wanted, "print manifests for a Kubernetes cluster, for kubectl apply -f -");
  wanted.group(what);
  const auto add = [&](CommandOption option, const std::string& type) {
    if (!type.empty()) option.type_name(type);
    option.group(what).needs(wanted);
  };
  const auto keep_text = [](std::vector<std::string>& list) {
    return [&list](const std::string& /*option*/, const std::string& text) { list.push_back(text); };
  };
  add(add_option(command, "--operator", o->starter,
                 "operator that starts the pods: job, jobset or pytorchjob (default: job)"),
      "WHICH");
  add(add_option(command, "--image", o->image, "image with the workers"), "IMAGE");
  add(add_option(command, "--namespace", o->space, "namespace (default: kubectl's own)"), "NAME");
  add(add_value(command, "--ttl", o->keep, duration_value,
                "how long job and logs are kept after the end (default: 1h)"),
      "TIME");
  add(add_option(command, "--pull-secret", o->pull_secret, "secret for the image's registry"), "NAME");
  add(add_option(command, "--gpu-resource", o->gpu_resource, "resource name of a GPU (default: nvidia.com/gpu)"),
      "NAME");
  add(add_values(command, "--rdma", keep_text(o->rdma), "network devices for every pod: rdma/hca=1"), "NAME=N");
  add(add_values(command, "--node-selector", keep_text(o->node_selector), "use only nodes with this label"),
      "KEY=VALUE");
  add(add_values(command, "--toleration", keep_text(o->tolerations),
                 "further taint to tolerate; those of GPUs are tolerated anyway"),
      "KEY[=VALUE][:EFFECT]");
  add(add_values(command, "--env", keep_text(o->variables), "variable for the workers: NCCL_SOCKET_IFNAME=eth0"),
      "NAME=VALUE");
  add(add_value(command, "--shm", o->shared_memory, memory_value, "size of /dev/shm (default: 8G)"), "SIZE");
  add(add_flag(command, "--check", o->check, "show which nodes could run a pod, and why others can't"), "");
  add(add_option(command, "--from", o->from, "with --check: read this output of kubectl get nodes,pods -A -o json"),
      "FILE");
  add(add_option(command, "--collect", o->collect, "read the pods' logs of this acceptance test and judge them"),
      "NAME");
  add(add_flag(command, "--cleanup", o->cleanup, "remove the objects of earlier acceptance tests"), "");
  add(add_value(command, "--older-than", o->older_than, duration_value,
                "with --cleanup: only acceptance tests that ended longer ago than this (default: 24h)"),
      "TIME");
  return o;
}

}  // namespace rv::cli
