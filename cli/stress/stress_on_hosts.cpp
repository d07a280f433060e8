#include "cli/stress/stress_on_hosts.h"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/os/current_folder.h"
#include "base/os/interrupt.h"
#include "base/os/stamped_folder.h"
#include "base/quote.h"
#include "base/text.h"
#include "cli/hosts/hosts_work.h"
#include "cli/launch/container.h"
#include "cli/launch/no_container.h"
#include "cli/options/hosts_options.h"
#include "cli/stress/stress_here.h"
#include "cli/stress/write_stress_verdict.h"

namespace rv::cli {
namespace {

/// A launcher is searched in the folder in which it was called here, if the host has that folder.
HostScript host_script(const std::vector<std::string>& words, const std::string& called_in, Container container,
                       std::size_t hosts, const HostPlace& place) {
  std::vector<std::string> argv{place.workers + "/rv-stress", "--report-dir",
                                place.folder + "/reports/" + place.host.text(), "--nodes", std::to_string(hosts)};
  argv.insert(argv.end(), words.begin(), words.end());
  container.mounts.push_back(place.workers);
  container.message_file = fmt::format("{}/reports/{}/{}", place.folder, place.host.text(), container_message_file);
  HostScript script;
  if (!container.image.empty()) script.add("container", "600", container_start());
  script.add("node.sh", "600",
             fmt::format("cd {} 2>/dev/null\nexport RV_RUN_DIR={}\nmkdir -p {}\nexec {}\n", quote(called_in),
                         quote(place.folder), quote(place.folder + "/reports/" + place.host.text()),
                         quote_all(container.command(argv))));
  return script;
}

/// GPUs are identified by themselves (reports/stress/judgement.cpp), and two hosts may share a machine's; its
/// processor has no name.
void refuse_one_host_twice(HostsWork& work, const StressOptions& options) {
  if (options.device != "cpu") return;
  std::map<std::string, std::string> names;
  for (const auto& session : work.group().sessions()) {
    const auto& machine = session->facts().machine;
    if (machine.empty()) continue;
    const auto [first, fresh] = names.emplace(machine, session->host().name.text());
    if (fresh) continue;
    throw Error(fmt::format("{} and {} are one host under two names", first->second, session->host().name.text()),
                "name it once: its workers would be counted twice", ExitCode::usage);
  }
}

std::vector<int> slots_on(HostsWork& work, const StressOptions& options) {
  std::vector<int> slots;
  for (const auto& session : work.group().sessions()) {
    slots.push_back(slots_of(options.slots, options.device == "cpu" ? "cpu" : "auto", 1, *session));
  }
  return slots;
}

Trouble trouble_of(const remote::HostGroup& group) {
  if (group.troubles().empty()) return {};
  std::vector<std::string> parts;
  for (const auto& one : group.troubles()) parts.push_back(fmt::format("{}: {}", one.host, one.what));
  return {fmt::format("{}; the work was ended on all hosts", fmt::join(parts, "; ")), group.troubles().front().advice,
          true};
}

}  // namespace

int stress_on_hosts(const StressOptions& options, const Invocation& invocation) {
  check_beside_hosts(*options.request, options.local, options.detach);
  const auto words = worker_words(options);
  const auto container = container_on_hosts(options.container, invocation.settings);
  HostsWork work(*options.hosts, read_programs(rv_stress_folder(options, invocation.settings), {"rv-stress"}),
                 ReportKind::stress);
  if (!work.reach()) return os::interrupt_exit_code();
  std::vector<int> slots;
  try {
    refuse_one_host_twice(work, options);
    slots = slots_on(work, options);
  } catch (const Error&) {
    work.end();
    throw;
  }
  if (options.dry_run) {
    work.end();
    print_words("rv-stress", words, invocation);
    return 0;
  }
  os::StampedFolder made(stress_folders(invocation.settings.home));
  const auto& folder = made.path();
  const auto here = os::current_folder();
  const bool served = work.run(folder + "/reports", slots, [&](const HostPlace& place) {
    return host_script(words, here, container, work.hosts().size(), place);
  });
  if (!served) {
    fmt::print(stderr, "rv: ended on all hosts\n");
    return os::interrupt_exit_code();
  }
  if (const auto host = work.first_ended_with(no_container); host && !container.image.empty()) {
    throw_no_container(container.image, fmt::format("{}/reports/{}/{}", folder, *host, container_message_file));
  }
  const auto code = write_stress_verdict(folder, made.name(), trouble_of(work.group()), options, invocation);
  if (!options.cleanup) made.keep();
  return code;
}

}  // namespace rv::cli
