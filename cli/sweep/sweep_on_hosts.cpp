#include "cli/sweep/sweep_on_hosts.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/os/atomic_file.h"
#include "base/os/interrupt.h"
#include "base/os/process.h"
#include "base/quote.h"
#include "base/variable.h"
#include "cli/acceptance/workers_folder.h"
#include "cli/hosts/hosts_work.h"
#include "cli/json/values_json.h"
#include "cli/launch/container.h"
#include "cli/launch/no_container.h"
#include "cli/options/hosts_options.h"
#include "cli/sweep/drive/report_folder.h"
#include "cli/sweep/sweep_here.h"

namespace rv::cli {
namespace {

constexpr int host_lost = 3;

Programs programs_of(const SweepOptions& options, const Invocation& invocation) {
  auto programs = read_programs(workers_folder(options.workers, invocation.settings, {"rv-sample"}), {"rv-sample"});
  programs.files.emplace_back("rv", std::make_shared<const std::string>(os::read_file("/proc/self/exe").value_or("")));
  return programs;
}

SweepWords words_for(const SweepWords& words, const std::string& host) {
  auto out = words;
  out.report_dir += "/" + host;
  return out;
}

/// The state from which the host's driver continues.
std::string packed(const std::string& folder) {
  return os::run({.argv = {"tar", "-C", folder, "-czf", "-", "."},
                  .input = {},
                  .environment = all_variables(),
                  .folder = {}})
      .out;
}

HostScript host_script(const SweepWords& words, const HostPlace& place) {
  const auto reports = quote(place.folder + "/reports/" + place.host.text());
  HostScript script;
  script.add("sweep.tgz", "600", packed(words.report_dir));
  if (words.in_container) script.add("container", "600", container_start());
  script.add("node.sh", "600",
             fmt::format("if ! cd {0} 2>/dev/null; then\n"
                         "  printf '%s\\n' {1}\n"
                         "  exit 2\n"
                         "fi\n"
                         "export RV_RUN_DIR={2}\n"
                         "mkdir -p {3} && tar -C {3} -xzf {2}/sweep.tgz || exit 3\n"
                         "exec {4}/rv sweep --drive {3} --workers {4}\n",
                         quote(words.order.folder),
                         quote(fmt::format("the folder {} of the command does not exist on this host; it must be on a "
                                           "file system that the hosts share, or copied",
                                           words.order.folder)),
                         quote(place.folder), reports, quote(place.workers)));
  return script;
}

/// What was cut off by Ctrl-C counts as never begun, here as there.
void forget_begun(const SweepWords& words) {
  const sweep::ReportFolder folder(words.report_dir);
  for (const auto& point : folder.begun()) folder.forget_attempt(words.order, point);
}

int print_all(const SweepWords& words, const HostsWork& work, const Invocation& invocation) {
  int code = 0;
  auto document = nlohmann::ordered_json::array();
  for (const auto& host : work.hosts()) {
    const auto folder = words_for(words, host.name).report_dir;
    if (!invocation.json) fmt::print("{}:\n", host.name.text());
    const auto [one, well] = write_sweep_result(folder);
    code = std::max(code, well ? 0 : 1);
    if (invocation.json) {
      document.push_back({{"host", host.name.text()}, {"sweep", one}});
    } else {
      print_sweep(folder, invocation);
      fmt::print("\n");
    }
  }
  if (invocation.json) fmt::print("{}", json_text({{"hosts", document}}));
  return code;
}

}  // namespace

int sweep_on_hosts(const SweepOptions& options, const SweepWords& words, const Invocation& invocation) {
  check_beside_hosts(*options.request, options.local, options.detach);
  HostsWork work(*options.hosts, programs_of(options, invocation), ReportKind::sweep);
  for (const auto& host : work.hosts()) {
    sweep::ReportFolder(words_for(words, host.name).report_dir).check_free_for(words.order);
  }
  if (!work.reach()) return os::interrupt_exit_code();
  std::vector<int> slots;
  std::vector<sweep::ReportFolder> claimed;
  try {
    for (const auto& session : work.group().sessions()) {
      slots.push_back(slots_of(options.slots, options.device == "cpu" ? "cpu" : "auto", 1, *session));
    }
    for (const auto& host : work.hosts()) {
      const auto here = words_for(words, host.name);
      if (begin_sweep(here)) claimed.emplace_back(here.report_dir);
    }
  } catch (const Error&) {
    work.end();
    throw;
  }
  const bool served = work.run(words.report_dir, slots, [&](const HostPlace& place) {
    return host_script(words_for(words, place.host), place);
  });
  if (!served) {
    for (const auto& host : work.hosts()) forget_begun(words_for(words, host.name));
    fmt::print(stderr, "rv: ended on all hosts; the same command continues there\n");
    return os::interrupt_exit_code();
  }
  if (const auto host = work.first_ended_with(no_container); host && words.in_container) {
    for (const auto& folder : claimed) folder.withdraw();
    if (!invocation.json) return no_container;  // the host's lines are above
    throw Error(fmt::format("--container {}: {} could not run the sweep in it", options.container.image, *host),
                "the engine's message is above; check the name, or load the image there");
  }
  const int code = print_all(words, work, invocation);
  for (const auto& folder : claimed) folder.withdraw();  // where no point began
  for (const auto& one : work.group().troubles()) {
    fmt::print(stderr, "rv: {}: {}; the work was ended on all hosts\n", one.host, one.what);
  }
  return work.group().troubles().empty() ? code : host_lost;
}

}  // namespace rv::cli
