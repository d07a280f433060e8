#include "cli/remote/forward/port_owner.h"

#include <doctest/doctest.h>

#include "fake_proc.h"

namespace rv::forward {

namespace {

const char* const own = "SLURM_JOB_ID=42\n";

forward::PortOwner owner(const FakeProc& proc) {
  return PortOwner(JobProcesses({.job = "42", .sluid = "", .array = "", .user = 1000}, proc.path()), "n1");
}

std::vector<std::string> addresses(const forward::PortOwner::Access& answer) {
  std::vector<std::string> found;
  for (const auto& door : answer.doors) found.push_back(door.address);
  return found;
}

using Addresses = std::vector<std::string>;

}  // namespace

TEST_CASE("the run's port has a door at each address that reaches it") {
  const FakeProc proc;
  proc.listens("0.0.0.0", 8888, 1000, 1);
  proc.listens("10.1.2.3", 6006, 1000, 2);
  proc.listens("::", 7000, 1000, 3);
  proc.has({.id = 7, .environment = own, .sockets = {1, 2, 3}});
  auto ports = owner(proc);
  CHECK(addresses(ports.ask(8888)) == Addresses{address_bytes("127.0.0.1")});
  CHECK(addresses(ports.ask(6006)) == Addresses{address_bytes("10.1.2.3")});
  CHECK(addresses(ports.ask(7000)) == Addresses{address_bytes("127.0.0.1"), address_bytes("::1")});
  const auto nothing = ports.ask(1234);
  CHECK(nothing.doors.empty());
  CHECK(nothing.refusal.empty());
}

TEST_CASE("another user's port has none, and is named") {
  const FakeProc proc;
  proc.listens("0.0.0.0", 8888, 1001, 1);
  proc.has({.id = 7, .user = 1001, .environment = own, .sockets = {1}});
  auto ports = owner(proc);
  const auto answer = ports.ask(8888);
  CHECK(answer.doors.empty());
  CHECK(answer.refusal == "port 8888 of n1 is another user's (UID 1001), not the run's: nothing is sent there");
}

TEST_CASE("another user's port at one address does not hide the run's at another") {
  const FakeProc proc;
  proc.listens("127.0.0.1", 8888, 1001, 1);
  proc.listens("::", 8888, 1000, 2);
  proc.has({.id = 7, .environment = own, .sockets = {2}});
  auto ports = owner(proc);
  CHECK(addresses(ports.ask(8888)) == Addresses{address_bytes("::1")});
}

TEST_CASE("of several sockets that share an address each must be the run's") {
  const FakeProc proc;
  proc.listens("0.0.0.0", 8888, 1000, 1);
  proc.listens("0.0.0.0", 8888, 1000, 2);
  proc.has({.id = 7, .environment = own, .sockets = {1}});
  proc.has({.id = 8, .environment = "SLURM_JOB_ID=43\n", .sockets = {2}});
  auto ports = owner(proc);
  const auto answer = ports.ask(8888);
  CHECK(answer.doors.empty());
  CHECK(answer.refusal == "port 8888 of n1 is your job 43's, not the run's: nothing is sent there");
}

TEST_CASE("the user's own socket counts as the run's unless another job owns it") {
  const FakeProc proc;
  proc.listens("0.0.0.0", 8888, 1000, 1);  // its process does not show its files
  proc.listens("0.0.0.0", 8889, 1000, 2);
  proc.has({.id = 7, .sockets = {2}});
  auto ports = owner(proc);
  CHECK(ports.ask(8888).doors.size() == 1);
  CHECK(ports.ask(8889).doors.size() == 1);
}

TEST_CASE("the owner is checked again after its process has ended") {
  const FakeProc proc;
  proc.listens("0.0.0.0", 8888, 1000, 1);
  proc.has({.id = 7, .environment = own, .sockets = {1}});
  auto ports = owner(proc);
  CHECK(ports.ask(8888).doors.size() == 1);
  proc.ends(7);
  proc.has({.id = 8, .environment = "SLURM_JOB_ID=43\n", .sockets = {1}});
  CHECK(ports.ask(8888).doors.empty());
}

TEST_CASE("a port that changed hands while it was connected to is noticed") {
  const FakeProc proc;
  proc.listens("0.0.0.0", 8888, 1000, 1);
  proc.has({.id = 7, .environment = own, .sockets = {1}});
  auto ports = owner(proc);
  const auto door = ports.ask(8888).doors.at(0);
  CHECK(ports.unchanged(door));
  proc.nobody_listens();
  CHECK(!ports.unchanged(door));
  proc.listens("0.0.0.0", 8888, 1001, 2);
  CHECK(!ports.unchanged(door));
  proc.nobody_listens();
  proc.listens("0.0.0.0", 8888, 1000, 3);  // the run is back: who took the connection in between is not known
  CHECK(!ports.unchanged(door));
}

}  // namespace rv::forward
