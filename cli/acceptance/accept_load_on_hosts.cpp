#include <fmt/format.h>

#include "base/error.h"
#include "base/os/atomic_file.h"
#include "base/quote.h"
#include "base/text.h"
#include "cli/acceptance/accept_load.h"
#include "cli/acceptance/acceptance_folder.h"
#include "cli/acceptance/io_order.h"
#include "cli/acceptance/workers_folder.h"
#include "cli/hosts/hosts_work.h"
#include "cli/launch/no_container.h"

namespace rv::cli {
namespace {

using remote::HostGroup;

int equal_slots(const AcceptOptions& options, HostGroup& group) {
  const auto& sessions = group.sessions();
  const auto typed = options.slots ? options.slots : options.gpus_per_node;
  const int first = slots_of(typed, options.device, 2, *sessions.front());
  for (const auto& session : sessions) {
    const int slots = slots_of(typed, options.device, 2, *session);
    if (slots == first) continue;
    throw Error(fmt::format("{} has {} and {} has {}: an acceptance takes the same number on every host",
                            sessions.front()->host().name.text(), counted(first, "slot"), session->host().name.text(),
                            counted(slots, "slot")),
                "use --slots N with a number that all hosts have, or test the other hosts separately", ExitCode::usage);
  }
  return first;
}

}  // namespace

HostsShare AcceptLoad::for_hosts(const std::vector<remote::Host>& hosts) {
  if (options_.slots && options_.gpus_per_node) {
    throw Error("--slots and --gpus-per-node can't be combined", "with --hosts, use --slots", ExitCode::usage);
  }
  order_ = order_of(options_, static_cast<int>(hosts.size()), 2);
  order_.io = io_order_of(options_, order_, invocation().settings, IoPlace::far);
  container_ = container_on_hosts(options_.container, invocation().settings);
  const auto names = acceptance_workers(order_);
  workers_ = workers_folder(options_.workers, invocation().settings, names);
  return {read_programs(workers_, names), ReportKind::acceptance};
}

std::vector<int> AcceptLoad::slots_on(HostGroup& group) {
  const auto io = order_.io;
  order_ = order_of(options_, order_.nodes, equal_slots(options_, group));
  order_.io = io;
  return std::vector<int>(group.sessions().size(), order_.gpus_per_node);
}

HostScript AcceptLoad::script_on(const HostPlace& place) {
  const auto node = node_script(order_, place.folder + "/reports", place.workers, place.folder + "/token");
  HostScript script;
  script.add("token", "600", os::read_file(made().path() + "/token").value_or(""));
  if (container_.image.empty()) {
    script.add("node.sh", "600", node);
    return script;
  }
  const auto reports = place.folder + "/reports/" + place.host.text();
  auto container = container_;
  container.told = fmt::format("{}/{}", reports, container_told);
  container.mounts.push_back(place.workers);
  for (const auto& path : io_paths(order_.io)) container.mounts.push_back(path);
  script.add("container", "600", container_start());
  script.add("inside.sh", "600", node);
  script.add("node.sh", "600",
             fmt::format("export RV_RUN_DIR={}\nmkdir -p {}\nexec {}\n", quote(place.folder), quote(reports),
                         quote_all(container.command({"bash", place.folder + "/inside.sh"}))));
  return script;
}

}  // namespace rv::cli
