#include "slurm/parse/hostlist.h"

#include <doctest/doctest.h>

using namespace rv;
using namespace rv::slurm;

TEST_CASE("host lists") {
  CHECK(expand_hostlist("a[1-3,7],b") == std::vector<std::string>{"a1", "a2", "a3", "a7", "b"});
  CHECK(expand_hostlist("n[08-11]") == std::vector<std::string>{"n08", "n09", "n10", "n11"});
  CHECK(expand_hostlist("r[1-2]n[1-2]") == std::vector<std::string>{"r1n1", "r1n2", "r2n1", "r2n2"});
  CHECK(expand_hostlist("n[1-") == std::vector<std::string>{"n[1-"});
  CHECK(expand_hostlist("r[1-2]n[1-2]-ib") == std::vector<std::string>{"r1n1-ib", "r1n2-ib", "r2n1-ib", "r2n2-ib"});
  CHECK(expand_hostlist("n[3-1]") == std::vector<std::string>{"n[3-1]"});
  CHECK(expand_hostlist("(null)").empty());
  CHECK(expand_hostlist("").empty());
}

TEST_CASE("the expansion of any list is bounded") {
  CHECK(expand_hostlist("n[1-65536]").size() == most_hosts);
  for (const auto* list : {"n[1-65537]", "n[1-999999999]", "n[1-1000000][1-1000000]", "n[1-256][1-256],x[1-2]",
                           "n[9223372036854775806-9223372036854775807]", "n[1-99999999999999999999]",
                           "n[1-300][1-300][1-300][1-300][1-300][1-300][1-300][1-300][1-300]"}) {
    CAPTURE(list);
    CHECK(expand_hostlist(list).size() <= most_hosts + 1);
    CHECK(expand_hostlist(list).back().find('[') != std::string::npos);
    CHECK(!read_typed_hosts(list).fault.empty());
    CHECK(read_typed_hosts(list).hosts.empty());
  }
  std::string long_word = "n";
  for (int i = 0; i < 50'000; ++i) long_word += "[1]";
  CHECK(expand_hostlist(long_word).front().size() == 50'001);
}

TEST_CASE("a user's list of hosts is parsed, or the error is named") {
  CHECK(read_typed_hosts("n1, n[08-09],").hosts == std::vector<std::string>{"n1", "n08", "n09"});
  const auto fault = [](const char* list) { return read_typed_hosts(list).fault; };
  CHECK(fault("n1").empty());
  CHECK(fault("n1,n[1-") == "\"n[1-\": a '[' has no matching ']'");
  CHECK(fault("n1]") == "\"n1]\": a ']' has no matching '['");
  CHECK(fault("n[9-1]") == "\"n[9-1]\": the range \"9-1\" ends before it begins");
  CHECK(fault("n[a-b]") == "\"n[a-b]\": \"a-b\" in brackets is neither a number nor a range of numbers");
  CHECK(fault("n[1,,2]").find("an empty entry in brackets") != std::string::npos);
  CHECK(fault("n[]").find("an empty entry in brackets") != std::string::npos);
  CHECK(fault("n[[1]]").find("neither a number") != std::string::npos);
  CHECK(fault("n[1--3]").find("neither a number") != std::string::npos);
  CHECK(fault("n[1-999999999]") == "\"n[1-999999999]\" exceeds the maximum of 65536 hosts");
  CHECK(fault("n1 n2") == "\"n1 n2\": a host name can't contain a space");
  CHECK(fault(",") == "\",\" contains no host");
}
