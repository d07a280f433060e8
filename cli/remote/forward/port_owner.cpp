#include "cli/remote/forward/port_owner.h"

#include <fmt/format.h>

#include <algorithm>

namespace rv::forward {

namespace {

std::set<std::uint64_t> inodes_of(const std::vector<Listener>& listeners) {
  std::set<std::uint64_t> inodes;
  for (const Listener& listener : listeners) inodes.insert(listener.inode);
  return inodes;
}

bool is_any(const std::string& address) {
  return address.find_first_not_of('\0') == std::string::npos;
}

}  // namespace

PortOwner::Access PortOwner::ask(int port) {
  const auto listeners = read_listeners(processes_.proc());
  Access access;
  std::map<std::uint64_t, std::string> refusals;
  std::vector<std::string> addresses{address_bytes("127.0.0.1"), address_bytes("::1")};
  for (const Listener& listener : listeners) {
    if (listener.port != port) continue;
    refusals[listener.inode] = refusal_of(listener);
    if (access.refusal.empty()) access.refusal = refusals[listener.inode];
    const std::string address = unmapped(listener.address);
    if (!is_any(address) && std::find(addresses.begin(), addresses.end(), address) == addresses.end()) {
      addresses.push_back(address);
    }
  }
  for (const std::string& address : addresses) {
    const auto sockets = inodes_of(receivers(listeners, address, port));
    const bool own = std::all_of(sockets.begin(), sockets.end(), [&](auto inode) { return refusals[inode].empty(); });
    if (!sockets.empty() && own) access.doors.push_back({.address = address, .port = port, .sockets = sockets});
  }
  return access;
}

bool PortOwner::unchanged(const Door& door) const {
  return inodes_of(receivers(read_listeners(processes_.proc()), door.address, door.port)) == door.sockets;
}

std::string PortOwner::refusal_of(const Listener& listener) {
  if (run_still_has(listener.inode)) return {};
  const auto holders = holders_of(listener.inode);
  const auto with = [&](Membership::Kind kind) {
    return std::find_if(holders.begin(), holders.end(),
                        [&](const Holder& holder) { return holder.membership.kind == kind; });
  };
  if (const auto own = with(Membership::Kind::own); own != holders.end()) {
    runs_[listener.inode] = own->process;
    return {};
  }
  if (listener.user != processes_.run().user) {
    return fmt::format("port {} of {} is another user's (UID {}), not the run's: nothing is sent there", listener.port,
                       node_, listener.user);
  }
  if (const auto other = with(Membership::Kind::other); other != holders.end()) {
    return fmt::format("port {} of {} is your job {}'s, not the run's: nothing is sent there", listener.port, node_,
                       other->membership.job);
  }
  return {};
}

bool PortOwner::run_still_has(std::uint64_t inode) const {
  const auto found = runs_.find(inode);
  return found != runs_.end() && processes_.sockets_of(found->second).contains(inode);
}

std::vector<PortOwner::Holder> PortOwner::holders_of(std::uint64_t inode) const {
  std::vector<Holder> holders;
  for (const pid_t process : processes_.all()) {
    if (processes_.sockets_of(process).contains(inode)) {
      holders.push_back({.process = process, .membership = processes_.membership_of(process)});
    }
  }
  return holders;
}

}  // namespace rv::forward
