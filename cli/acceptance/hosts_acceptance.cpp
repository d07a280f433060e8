#include "cli/acceptance/hosts_acceptance.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/os/atomic_file.h"
#include "base/os/interrupt.h"
#include "base/os/stamped_folder.h"
#include "base/quote.h"
#include "base/text.h"
#include "cli/acceptance/acceptance_folder.h"
#include "cli/acceptance/io_order.h"
#include "cli/acceptance/workers_folder.h"
#include "cli/acceptance/write_verdict.h"
#include "cli/hosts/hosts_work.h"
#include "cli/launch/container.h"
#include "cli/launch/no_container.h"
#include "cli/options/hosts_options.h"
#include "cli/views/accept_view.h"

namespace rv::cli {
namespace {

using remote::HostGroup;

void refuse_together(const AcceptOptions& options) {
  check_beside_hosts(*options.request, options.local, options.detach);
  if (options.slots && options.gpus_per_node) {
    throw Error("--slots and --gpus-per-node can't be combined", "with --hosts, use --slots", ExitCode::usage);
  }
}

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

HostScript host_script(const accept::Order& order, const std::string& token, Container container,
                       const HostPlace& place) {
  const auto node = node_script(order, place.folder + "/reports", place.workers, place.folder + "/token");
  HostScript script;
  script.add("token", "600", token);
  if (container.image.empty()) {
    script.add("node.sh", "600", node);
    return script;
  }
  const auto reports = place.folder + "/reports/" + place.host.text();
  container.message_file = fmt::format("{}/{}", reports, container_message_file);
  container.mounts.push_back(place.workers);
  for (const auto& path : io_paths(order.io)) container.mounts.push_back(path);
  script.add("container", "600", container_start());
  script.add("inside.sh", "600", node);
  script.add("node.sh", "600",
             fmt::format("export RV_RUN_DIR={}\nmkdir -p {}\nexec {}\n", quote(place.folder), quote(reports),
                         quote_all(container.command({"bash", place.folder + "/inside.sh"}))));
  return script;
}

std::vector<accept::Finding> findings_of(const HostGroup& group) {
  std::vector<accept::Finding> findings;
  for (const auto& trouble : group.troubles()) {
    findings.push_back({.verdict = Verdict::error,
                        .subject = {.node = trouble.host, .gpu_index = std::nullopt, .gpu_uuid = {}, .model = {}},
                        .rank = std::nullopt,
                        .what = trouble.what + "; the work was ended on all hosts",
                        .advice = trouble.advice});
  }
  return findings;
}

}  // namespace

int accept_on_hosts(const AcceptOptions& options, const Invocation& invocation) {
  refuse_together(options);
  // Invalid arguments are found before any host is contacted.
  const auto nodes = static_cast<int>(remote::read_hosts(*options.hosts).size());
  auto order = order_of(options, nodes, 2);
  const auto io = io_order_of(options, order, invocation.settings, IoPlace::far);
  order.io = io;
  const auto container = container_on_hosts(options.container, invocation.settings);
  const auto workers = acceptance_workers(order);
  HostsWork work(*options.hosts, read_programs(workers_folder(options.workers, invocation.settings, workers), workers),
                 ReportKind::acceptance);
  if (!work.reach()) return os::interrupt_exit_code();
  try {
    order = order_of(options, nodes, equal_slots(options, work.group()));
    order.io = io;
  } catch (const Error&) {
    work.end();
    throw;
  }
  if (options.dry_run) {
    work.end();
    fmt::print("{}", steps_text(order));
    return 0;
  }
  os::StampedFolder made(acceptance_folders(invocation.settings.home));
  const auto& folder = made.path();
  prepare_acceptance(folder, order, work.programs().folder);
  made.keep();
  const auto token = os::read_file(folder + "/token").value_or("");
  const bool served = work.run(folder + "/reports", std::vector<int>(work.hosts().size(), order.gpus_per_node),
                               [&](const HostPlace& place) { return host_script(order, token, container, place); });
  if (!served) {
    fmt::print(stderr, "rv: ended on all hosts; rv accept --judge {} judges the reports\n", folder);
    return os::interrupt_exit_code();
  }
  if (const auto host = work.first_ended_with(no_container); host && !container.image.empty()) {
    made.discard();
    throw_no_container(container.image, fmt::format("{}/reports/{}/{}", folder, *host, container_message_file));
  }
  return write_verdict(folder, made.name(), findings_of(work.group()), options, invocation);
}

}  // namespace rv::cli
