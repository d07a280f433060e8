// What an acceptance asks of a Kubernetes cluster.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace rv::kubernetes {

/// Who starts the pods: Kubernetes itself (an indexed Job), or an operator that is installed on the cluster.
enum class Operator { job, jobset, pytorchjob };

struct Toleration {
  std::string key, value, effect;  // an empty value: any value; an empty effect: all effects
};

struct JobOrder {
  std::string name;   // of everything that is made
  std::string space;  // the namespace; empty: kubectl's own
  Operator by = Operator::job;
  int nodes = 1;          // one pod each
  int gpus_per_node = 1;  // 0: none is asked for
  std::string gpu_resource = "nvidia.com/gpu";
  std::string image, pull_secret;                      // no secret: empty
  std::vector<std::pair<std::string, int>> resources;  // more of a node's: rdma/hca, 1
  std::optional<int> cpus;
  std::optional<long long> memory_mib;
  long long shared_memory_mib = 8192;                              // /dev/shm
  std::vector<std::pair<std::string, std::string>> node_selector;  // labels that a node must have
  std::vector<Toleration> tolerations;                             // besides the toleration of the GPUs' own taint
  std::vector<std::pair<std::string, std::string>> variables;      // for the workers
  std::chrono::seconds limit{7200};                                // then the pods are ended
  std::chrono::seconds keep{3600};                                 // the job and its logs, after its end
  std::string token;                                               // the ranks' secret
  std::vector<std::string> command;                                // of every pod
};

/// The labels of everything that rv makes: without all of them nothing is ever removed.
std::vector<std::pair<std::string, std::string>> labels_of_all();
/// The same as kubectl's -l takes it, of one acceptance where `name` is not empty.
std::string label_selector(const std::string& name = "");
inline constexpr const char* name_label = "app.kubernetes.io/instance";

/// Where the ranks' secret is in a pod, and where the reports are written.
inline constexpr const char* token_path = "/rv/secret/token";
inline constexpr const char* reports_path = "/rv/run/reports";
inline constexpr int rendezvous_port = 29400;

/// The key of the taint that keeps others off nodes with this resource: "nvidia.com/gpu", also where slices are asked
/// for.
std::string gpu_taint(const std::string& gpu_resource);

/// The host name of the first pod, as the other pods reach it. PyTorchJob says so itself.
std::string first_pod(const JobOrder& order);

}  // namespace rv::kubernetes
