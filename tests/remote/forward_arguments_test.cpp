#include "cli/remote/forward/forward_arguments.h"

#include <doctest/doctest.h>

#include "base/error.h"
#include "cli/remote/forward/relay_request.h"
#include "cli/remote/forward/stop_words.h"

namespace rv::forward {

namespace {

template <typename Call>
std::string fault(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    CHECK(error.code() == ExitCode::usage);
    return error.what();
  }
  return "no error";
}

std::string fault_of(const std::vector<std::string>& words) {
  return fault([&] { forward::parse_forward_arguments(words); });
}

ForwardRecord record(const std::string& machine, int pid, const std::string& run, std::vector<int> locals) {
  ForwardRecord record;
  record.machine = machine;
  record.pid = pid;
  record.run = run;
  record.name = "name-" + run;
  for (const int local : locals) record.ports.push_back({.local = local, .target = {.node = "n1", .port = 80}});
  return record;
}

}  // namespace

TEST_CASE("ports and a run, in any order") {
  CHECK(forward::parse_forward_arguments({"8888"}).ports == std::vector<forward::PortPair>{{8888, 8888}});
  const auto words = forward::parse_forward_arguments({"8080:8888", "train", "6006"});
  CHECK(words.ports == std::vector<forward::PortPair>{{8080, 8888}, {6006, 6006}});
  CHECK(words.run == "train");
  CHECK(forward::parse_forward_arguments({"123456"}).run == "123456");  // no port has six digits
  CHECK(forward::parse_forward_arguments({}).ports.empty());
}

TEST_CASE("an argument that is neither a port nor a run is quoted in the error") {
  CHECK(fault_of({"0"}) == "port \"0\": expected ports from 1 to 65535");
  CHECK(fault_of({"8080:70000"}) == "port \"8080:70000\": expected ports from 1 to 65535");
  CHECK(fault_of({"host:80"}) == "port \"host:80\": expected two ports, LOCAL:NODE");
  CHECK(fault_of({"80:"}) == "port \"80:\": expected two ports, LOCAL:NODE");
  CHECK(fault_of({"a", "b"}) == "\"a\" and \"b\" would be two runs; rv forward takes one");
  CHECK(fault_of({"80:1", "80:2"}) == "port 80 of this machine is given twice");
}

TEST_CASE("stopping by port, run, name or all; never another machine's") {
  const std::vector<ForwardRecord> records{record("here", 1, "aaa", {80, 81}), record("here", 2, "bbb", {90}),
                                           record("there", 3, "ccc", {70})};
  const auto stopped = [&](const std::vector<std::string>& words) {
    std::vector<int> ports;
    for (const auto& [record, closed] : forward::ports_to_stop(records, words, "here")) {
      ports.insert(ports.end(), closed.begin(), closed.end());
    }
    return ports;
  };
  CHECK(stopped({"81", "bbb"}) == std::vector<int>{81, 90});
  CHECK(stopped({"name-aaa"}) == std::vector<int>{80, 81});
  CHECK(stopped({"all"}) == std::vector<int>{80, 81, 90});
  CHECK(fault([&] { stopped({"82"}); }) == "\"82\" is not forwarded");
  CHECK(fault([&] { stopped({"70"}); }) == "port 70 is forwarded on there");
  CHECK(fault([&] { stopped({}); }) == "there are several forwards");
  CHECK(fault([&] { forward::ports_to_stop({}, {}, "here"); }) == "nothing is forwarded");
  CHECK(forward::ports_to_stop({records[1]}, {}, "here").size() == 1);
}

TEST_CASE("request and answer come out as they went in") {
  const forward::RelayRequest request{
      .run = "k3f9x2", .node = "n\"1", .ports = {1, 65535}, .automatic = true, .targets = {{"n1", 8888}}};
  CHECK(forward::relay_request(forward::to_text(request)) == request);
  const forward::Hello said{.run = "k3f9x2", .name = "train", .targets = {{"n1", 8888}, {"n2", 1}}, .fault = {}};
  const forward::Hello heard = forward::hello(forward::to_text(said));
  CHECK(heard.targets == said.targets);
  CHECK_FALSE(heard.fault.has_value());
  const forward::Hello refusal{
      .run = "", .name = "", .targets = {}, .fault = Error("no such run", "rv ps", ExitCode::no_such_run)};
  const forward::Hello refused = forward::hello(forward::to_text(refusal));
  REQUIRE(refused.fault.has_value());
  CHECK(std::string(refused.fault->what()) == "no such run");
  CHECK(refused.fault->advice() == "rv ps");
  CHECK(refused.fault->code() == ExitCode::no_such_run);
  CHECK_THROWS_AS(forward::relay_request("{}"), Error);
  CHECK_THROWS_AS(forward::hello("nothing"), Error);
}

}  // namespace rv::forward
