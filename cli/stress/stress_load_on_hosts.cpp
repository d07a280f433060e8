#include <fmt/format.h>

#include <map>

#include "base/error.h"
#include "base/os/current_folder.h"
#include "base/quote.h"
#include "cli/hosts/hosts_work.h"
#include "cli/launch/no_container.h"
#include "cli/stress/stress_load.h"

namespace rv::cli {
namespace {

/// GPUs tell by themselves whose they are (reports/stress/judgement.cpp), and two hosts may share a machine's; its
/// processor has no name.
void refuse_one_host_twice(remote::HostGroup& group, const StressOptions& options) {
  if (options.device != "cpu") return;
  std::map<std::string, std::string> names;
  for (const auto& session : group.sessions()) {
    const auto& machine = session->facts().machine;
    if (machine.empty()) continue;
    const auto [first, fresh] = names.emplace(machine, session->host().name.text());
    if (fresh) continue;
    throw Error(fmt::format("{} and {} are one host under two names", first->second, session->host().name.text()),
                "name it once: its workers would be counted twice", ExitCode::usage);
  }
}

}  // namespace

HostsShare StressLoad::for_hosts(const std::vector<remote::Host>& hosts) {
  worker_ = "rv-stress";
  hosts_ = hosts.size();
  container_ = container_on_hosts(options_.container, invocation().settings);
  return {read_programs(rv_stress_folder(options_, invocation().settings), {worker_}), ReportKind::stress};
}

std::vector<int> StressLoad::slots_on(remote::HostGroup& group) {
  refuse_one_host_twice(group, options_);
  std::vector<int> slots;
  for (const auto& session : group.sessions()) {
    slots.push_back(slots_of(options_.slots, options_.device == "cpu" ? "cpu" : "auto", 1, *session));
  }
  return slots;
}

/// A launcher is looked for where it is called here, as far as the host has that folder.
HostScript StressLoad::script_on(const HostPlace& place) {
  const auto reports = place.folder + "/reports/" + place.host.text();
  std::vector<std::string> argv{place.workers + "/rv-stress", "--report-dir", reports, "--nodes",
                                std::to_string(hosts_)};
  argv.insert(argv.end(), arguments_.begin(), arguments_.end());
  auto container = container_;
  container.mounts.push_back(place.workers);
  container.told = fmt::format("{}/{}", reports, container_told);
  HostScript script;
  if (!container.image.empty()) script.add("container", "600", container_start());
  script.add("node.sh", "600",
             fmt::format("cd {} 2>/dev/null\nexport RV_RUN_DIR={}\nmkdir -p {}\nexec {}\n", quote(os::current_folder()),
                         quote(place.folder), quote(reports), quote_all(container.command(argv))));
  return script;
}

}  // namespace rv::cli
