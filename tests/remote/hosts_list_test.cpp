#include "cli/remote/hosts/hosts_list.h"

#include <doctest/doctest.h>

#include "base/border/refused_input.h"
#include "base/error.h"
#include "cli/remote/hosts/host_facts.h"

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

Host host(const char* target, const char* name, std::optional<int> slots) {
  return {.target = target, .name = *ListedHost::parse(name), .slots = slots};
}

}  // namespace

TEST_CASE("a hosts file in Open MPI's form and in mpich's") {
  const auto hosts = parse_hosts_file(
      "# the rack\r\n\n  gpu-01 slots=8 max_slots=8 # the first\nann@gpu-02\tslots=4\ngpu_03.site.edu:2\ngpu-04",
      "rack");
  CHECK(hosts == std::vector<Host>{host("gpu-01", "gpu-01", 8), host("ann@gpu-02", "gpu-02", 4),
                                   host("gpu_03.site.edu", "gpu_03.site.edu", 2),
                                   host("gpu-04", "gpu-04", std::nullopt)});
  CHECK(parse_hosts_words("h1,ann@h2:4") == std::vector<Host>{host("h1", "h1", std::nullopt), host("ann@h2", "h2", 4)});
}

TEST_CASE("errors in a hosts file name the line") {
  CHECK(refusal("h1\n\nann@h1\n") == "rack:3: h1 is named twice, first at rack:1");
  CHECK_THROWS_WITH(parse_hosts_words("h1,ann@h1"), "--hosts: h1 is named twice");
  CHECK(refusal("# none\n\n") == "rack contains no host");
  CHECK(refusal("") == "rack contains no host");
  CHECK(refusal("h1 slot=2") == "rack:1: unexpected \"slot=2\"; did you mean \"slots\"?");
  CHECK(refusal("h1 slots=0") == "rack:1: invalid number of slots \"0\"");
  CHECK(refusal("h1 slots=") == "rack:1: invalid number of slots \"\"");
  CHECK(refusal("h1:x") == "rack:1: invalid number of slots \"x\"");
  for (const std::string name :
       {"-oProxyCommand=x", "../h", ".h", "h/1", "h;1", "@h", "ann@", "a b@c@d", "h'1", "[::1"}) {
    CAPTURE(name);
    CHECK(refusal(name).starts_with("rack:1: "));
  }
}

TEST_CASE("facts of a host are read, and unknown stays unknown") {
  HostFacts facts;
  for (const char* const words :
       {"system Linux x86_64 5.14.0-427.el9.x86_64", "folder /scratch/a b/rv-host-0123", "gpus 4", "workers same",
        "port 12345", "machine b1 net:[4] pid:[5]", "address 10.0.0.2", "client 10.0.0.1", "what else"}) {
    note_fact(facts, words, "0123");
  }
  CHECK(facts.system == "Linux x86_64 5.14.0-427.el9.x86_64");
  CHECK(facts.folder == "/scratch/a b/rv-host-0123");
  CHECK(facts.gpus == 4);
  CHECK(facts.has_workers);
  CHECK(facts.free_port == 12345);
  CHECK(facts.machine == "b1 net:[4] pid:[5]");
  CHECK(facts.address == HostAddress::parse("10.0.0.2"));
  note_fact(facts, "gpus unknown", "");
  CHECK(!facts.gpus);
  note_fact(facts, "workers other", "");
  CHECK(!facts.has_workers);
  note_fact(facts, "address -", "");
  CHECK(!facts.address);
  note_fact(facts, "address fe80::1%eth0", "");
  CHECK(!facts.address);
  note_fact(facts, "address 2001:db8::1", "");
  CHECK(facts.address->text() == "2001:db8::1");
}

TEST_CASE("a fact outside its alphabet or range is refused") {
  HostFacts facts;
  const std::string long_folder = "folder /" + std::string(2000, 'x') + "/rv-host-0123";
  for (const std::string& words : {std::string("address 10.0.0.2\nfile x 700 1"),
                                   std::string("address 10.0.0.2 1"),
                                   std::string("address"),
                                   std::string("address h1.evil"),
                                   std::string("address 10.0.0.2\0x", 18),
                                   std::string("address 010.0.0.2"),
                                   std::string("client $(id)"),
                                   std::string("client fe80::1%e;id"),
                                   std::string("folder tmp/rv-host-0123"),
                                   std::string("folder /tmp/rv-host-4567"),
                                   std::string("folder /tmp/../rv-host-0123/../etc/rv-host-0123"),
                                   std::string("folder /tmp/'$(id)'/rv-host-0123"),
                                   std::string("folder /tmp/\n/rv-host-0123"),
                                   long_folder,
                                   std::string("machine b1\x1b[2J"),
                                   std::string("machine"),
                                   "machine " + std::string(300, 'x'),
                                   std::string("system Linux x86_64\n5"),
                                   std::string("system Linux \xc2\x9b"),
                                   std::string("gpus -1"),
                                   std::string("gpus 4x"),
                                   std::string("gpus 999999"),
                                   std::string("gpus"),
                                   std::string("port 0"),
                                   std::string("port 65536"),
                                   std::string("port 80 81")}) {
    CHECK_THROWS_AS_MESSAGE(note_fact(facts, words, "0123"), RefusedInput, words);
  }
}

TEST_CASE("a host's name is one word of letters, digits, dots, dashes and underscores") {
  for (const char* const name : {"h1", "node-1.cluster_2.example.org", "10.0.0.1"}) CHECK(ListedHost::parse(name));
  for (const char* const name : {"", "-oProxyCommand=id", ".ssh", "h 1", "h1\n", "h1/x", "h1;id", "h\xc3\xa9"}) {
    CHECK_MESSAGE(!ListedHost::parse(name), name);
  }
  CHECK(!ListedHost::parse(std::string(300, 'x')));
}

TEST_CASE("ranks meet where every host can reach the first") {
  const auto host = [](const std::string& address, const std::string& client) {
    HostFacts facts;
    facts.address = HostAddress::parse(address);
    facts.client = HostAddress::parse(client);
    return facts;
  };
  const auto meeting = [&](const HostFacts& first, const HostFacts& second) {
    return meeting_address({first, second}, *ListedHost::parse("h1")).text();
  };
  CHECK(meeting(host("10.0.0.2", "10.0.0.1"), host("10.0.0.3", "10.0.0.1")) == "10.0.0.2");
  // rv runs on the first host itself.
  CHECK(meeting(host("127.0.0.1", "127.0.0.1"), host("10.0.0.3", "10.0.0.1")) == "10.0.0.1");
  // Two sshd of one machine.
  CHECK(meeting(host("127.0.0.1", "127.0.0.1"), host("127.0.0.1", "127.0.0.1")) == "127.0.0.1");
  CHECK(meeting(host("", ""), host("10.0.0.3", "10.0.0.1")) == "h1");
}

}  // namespace rv::remote
