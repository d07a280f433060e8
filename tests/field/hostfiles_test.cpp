// hostfiles.yaml: hosts files of the field.
#include <doctest/doctest.h>
#include <yaml-cpp/yaml.h>

#include <string>
#include <vector>

#include "base/error.h"
#include "cli/remote/hosts/hosts_list.h"
#include "tests/source_tree.h"

namespace rv::remote {
namespace {

std::vector<std::string> shown(const std::vector<Host>& hosts) {
  std::vector<std::string> texts;
  for (const auto& host : hosts) texts.push_back(host.target + (host.slots ? ":" + std::to_string(*host.slots) : ""));
  return texts;
}

}  // namespace

TEST_CASE("hosts files of the field: the hosts with their slots, or what is wrong and the way out") {
  for (const auto& row : YAML::LoadFile(in_tree("tests/field/hostfiles.yaml"))["rows"]) {
    const auto text = row["text"].as<std::string>();
    CAPTURE(text);
    try {
      const auto hosts = shown(parse_hosts_file(text, "hosts"));
      REQUIRE(row["hosts"]);
      CHECK(hosts == row["hosts"].as<std::vector<std::string>>());
    } catch (const Error& error) {
      CHECK(error.code() == ExitCode::usage);
      REQUIRE_MESSAGE(row["error"], error.what());
      CHECK_MESSAGE(std::string(error.what()).find(row["error"].as<std::string>()) != std::string::npos, error.what());
      if (!row["advice"]) continue;
      CHECK_MESSAGE(error.advice().find(row["advice"].as<std::string>()) != std::string::npos, error.advice());
    }
  }
}

TEST_CASE("a hosts file of UTF-16 is named as such") {
  for (const char* mark : {"\xff\xfeh", "\xfe\xff"}) {
    CHECK_THROWS_WITH_AS(parse_hosts_file(mark, "hosts"), "hosts is UTF-16 text", Error);
  }
}

TEST_CASE("ranges on the command line") {
  CHECK(shown(parse_hosts_words("gpu[01-02],ann@h[3,5]:4")) ==
        std::vector<std::string>{"gpu01", "gpu02", "ann@h3:4", "ann@h5:4"});
  CHECK_THROWS_WITH_AS(parse_hosts_words(","), "--hosts \",\": expected at least one host", Error);
}

}  // namespace rv::remote
