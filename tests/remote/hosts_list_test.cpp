#include "remote/hosts/hosts_list.h"

#include <doctest/doctest.h>

#include "base/error.h"
#include "remote/hosts/host_facts.h"

namespace rv::remote {
namespace {

std::string refusal(const std::string& text) {
  try {
    parse_hosts_file(text, "rack");
  } catch (const Error& error) {
    CHECK(error.code() == ExitCode::usage);
    CHECK(!error.advice().empty());
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a hosts file in Open MPI's form and in mpich's") {
  const auto hosts = parse_hosts_file(
      "# the rack\r\n\n  gpu-01 slots=8 max_slots=8 # the first\nann@gpu-02\tslots=4\ngpu_03.site.edu:2\ngpu-04",
      "rack");
  CHECK(hosts == std::vector<Host>{{"gpu-01", "gpu-01", 8},
                                   {"ann@gpu-02", "gpu-02", 4},
                                   {"gpu_03.site.edu", "gpu_03.site.edu", 2},
                                   {"gpu-04", "gpu-04", std::nullopt}});
  CHECK(parse_hosts_words("h1,ann@h2:4") == std::vector<Host>{{"h1", "h1", std::nullopt}, {"ann@h2", "h2", 4}});
}

TEST_CASE("what can't be a hosts file is refused by line") {
  CHECK(refusal("h1\n\nann@h1\n") == "rack:3: h1 is named twice, first at rack:1");
  CHECK_THROWS_WITH(parse_hosts_words("h1,ann@h1"), "--hosts: h1 is named twice");
  CHECK(refusal("# none\n\n") == "rack names no host");
  CHECK(refusal("") == "rack names no host");
  CHECK(refusal("h1 slot=2") == "rack:1: \"slot=2\" is not known here; did you mean \"slots\"?");
  CHECK(refusal("h1 slots=0") == "rack:1: \"0\" is no number of slots");
  CHECK(refusal("h1 slots=") == "rack:1: \"\" is no number of slots");
  CHECK(refusal("h1:x") == "rack:1: \"x\" is no number of slots");
  for (const std::string name :
       {"-oProxyCommand=x", "../h", ".h", "h/1", "h;1", "@h", "ann@", "a b@c@d", "h'1", "[::1"}) {
    CAPTURE(name);
    CHECK(refusal(name).starts_with("rack:1: "));
  }
}

TEST_CASE("facts of a host are read, and unknown stays unknown") {
  HostFacts facts;
  for (const char* const words : {"gpus 4", "workers same", "port 12345", "machine b1 net:[4] pid:[5]",
                                  "address 10.0.0.2", "client 10.0.0.1", "what else"}) {
    note_fact(facts, words);
  }
  CHECK(facts.gpus == 4);
  CHECK(facts.has_workers);
  CHECK(facts.free_port == 12345);
  CHECK(facts.machine == "b1 net:[4] pid:[5]");
  note_fact(facts, "gpus unknown");
  CHECK(!facts.gpus);
  note_fact(facts, "workers other");
  CHECK(!facts.has_workers);
  note_fact(facts, "address -");
  CHECK(facts.address.empty());
  note_fact(facts, "address fe80::1%eth0");
  CHECK(facts.address.empty());
}

TEST_CASE("ranks meet where every host can reach the first") {
  const auto host = [](const std::string& address, const std::string& client) {
    HostFacts facts;
    facts.address = address;
    facts.client = client;
    return facts;
  };
  CHECK(meeting_address({host("10.0.0.2", "10.0.0.1"), host("10.0.0.3", "10.0.0.1")}, "h1") == "10.0.0.2");
  // rv runs on the first host itself.
  CHECK(meeting_address({host("127.0.0.1", "127.0.0.1"), host("10.0.0.3", "10.0.0.1")}, "h1") == "10.0.0.1");
  // Two sshd of one machine.
  CHECK(meeting_address({host("127.0.0.1", "127.0.0.1"), host("127.0.0.1", "127.0.0.1")}, "h1") == "127.0.0.1");
  CHECK(meeting_address({host("", ""), host("10.0.0.3", "10.0.0.1")}, "h1") == "h1");
}

}  // namespace rv::remote
