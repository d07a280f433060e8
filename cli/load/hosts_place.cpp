#include "base/os/interrupt.h"
#include "cli/launch/no_container.h"
#include "cli/load/place.h"
#include "cli/options/hosts_options.h"

namespace rv::cli {

std::optional<int> HostsPlace::reach(Load& load) {
  const auto& options = load.options();
  check_beside_hosts(options.request, options.local, options.detach);
  const auto hosts = remote::read_hosts(*options.hosts);
  auto description = load.for_hosts(hosts);
  // From here on the first Ctrl-C ends the hosts' sides in good order.
  os::catch_interrupts();
  os::catch_hangup();
  work_.emplace(*options.hosts, hosts, std::move(description.programs), description.kind);
  if (!work_->reach()) return os::interrupt_exit_code();
  slots_ = load.slots_on(work_->group());
  return std::nullopt;
}

WorkEnd HostsPlace::run(Load& load) {
  load.begin();
  if (!work_->run(load.reports(), slots_, [&load](const HostPlace& place) { return load.script_on(place); })) {
    return {.interrupted = os::interrupt_exit_code()};
  }
  WorkEnd end{.no_container = work_->first_ended_with(no_container)};
  for (const auto& one : work_->group().troubles()) end.troubles.push_back({one.host, one.what, one.advice});
  return end;
}

}  // namespace rv::cli
