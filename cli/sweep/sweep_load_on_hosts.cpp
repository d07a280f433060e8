#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/os/atomic_file.h"
#include "base/os/process.h"
#include "base/quote.h"
#include "base/variable.h"
#include "cli/acceptance/workers_folder.h"
#include "cli/hosts/hosts_work.h"
#include "cli/json/values_json.h"
#include "cli/launch/container.h"
#include "cli/sweep/sweep_load.h"
#include "cli/sweep/sweep_result.h"

namespace rv::cli {
namespace {

constexpr int host_lost = 3;

Programs programs_of(const SweepOptions& options, const Invocation& invocation) {
  auto programs = read_programs(workers_folder(options.workers, invocation.settings, {"rv-sample"}), {"rv-sample"});
  programs.files.emplace_back("rv", std::make_shared<const std::string>(os::read_file("/proc/self/exe").value_or("")));
  return programs;
}

/// What the host's driver goes on from.
std::string packed(const std::string& folder) {
  return os::run({.argv = {"tar", "-C", folder, "-czf", "-", "."},
                  .input = {},
                  .environment = all_variables(),
                  .folder = {}})
      .out;
}

}  // namespace

SweepWords SweepLoad::words_of(const std::string& host) const {
  auto out = words_;
  out.report_dir += "/" + host;
  return out;
}

HostsShare SweepLoad::for_hosts(const std::vector<remote::Host>& hosts) {
  for (const auto& host : hosts) {
    hosts_.push_back(host.name);
    sweep::ReportFolder(words_of(host.name).report_dir).check_free_for(words_.order);
  }
  return {programs_of(options_, invocation()), ReportKind::sweep};
}

std::vector<int> SweepLoad::slots_on(remote::HostGroup& group) {
  std::vector<int> slots;
  for (const auto& session : group.sessions()) {
    slots.push_back(slots_of(options_.slots, options_.device == "cpu" ? "cpu" : "auto", 1, *session));
  }
  return slots;
}

HostScript SweepLoad::script_on(const HostPlace& place) {
  const auto reports = quote(place.folder + "/reports/" + place.host.text());
  HostScript script;
  script.add("sweep.tgz", "600", packed(words_of(place.host).report_dir));
  if (words_.in_container) script.add("container", "600", container_start());
  script.add("node.sh", "600",
             fmt::format("if ! cd {0} 2>/dev/null; then\n"
                         "  printf '%s\\n' {1}\n"
                         "  exit 2\n"
                         "fi\n"
                         "export RV_RUN_DIR={2}\n"
                         "mkdir -p {3} && tar -C {3} -xzf {2}/sweep.tgz || exit 3\n"
                         "exec {4}/rv sweep --drive {3} --workers {4}\n",
                         quote(words_.order.folder),
                         quote(fmt::format("the folder {} of the command does not exist on this host; it must be on a "
                                           "file system that the hosts share, or copied",
                                           words_.order.folder)),
                         quote(place.folder), reports, quote(place.workers)));
  return script;
}

int SweepLoad::judge_hosts(const std::vector<WorkTrouble>& troubles) {
  int code = 0;
  auto document = nlohmann::ordered_json::array();
  for (const auto& host : hosts_) {
    const auto folder = words_of(host).report_dir;
    if (!invocation().json) fmt::print("{}:\n", host);
    const auto [one, well] = write_sweep_result(folder);
    code = std::max(code, well ? 0 : 1);
    if (invocation().json) {
      document.push_back({{"host", host}, {"sweep", one}});
    } else {
      print_sweep(folder, invocation());
      fmt::print("\n");
    }
  }
  if (invocation().json) fmt::print("{}", json_text({{"hosts", document}}));
  for (const auto& one : troubles) {
    fmt::print(stderr, "rv: {}: {}; the work was ended on all hosts\n", one.host, one.what);
  }
  return troubles.empty() ? code : host_lost;
}

}  // namespace rv::cli
