#include "cli/open/ssh_entries.h"

#include <doctest/doctest.h>

#include "base/error.h"
#include "base/os/atomic_file.h"
#include "cli/open/ssh_config_value.h"
#include "tests/base/temporary_folder.h"

using namespace rv::cli;
using rv::Error;
using rv::RunId;
using rv::RunName;
using rv::UserName;

namespace {

std::string config(const std::vector<SshRun>& runs, const std::string& home = "/home/ann/.rv",
                   const std::string& alias = "rv-nodes-loop") {
  return ssh_config_text({.user = UserName("ann"), .runs = runs},
                         {.program = {"/usr/bin/rv", "-H", "loop"}, .alias = alias, .home = home});
}

SshRun run(const std::string& id, const std::string& name) {
  return {.id = RunId(id), .name = RunName(name)};
}

}  // namespace

TEST_CASE("an entry has the run's ID, and its name if it is unique and valid for ssh") {
  const auto text =
      config({run("aaaaaa", "train"), run("bbbbbb", "train"), run("cccccc", "aaaaaa"), run("dddddd", "*")});
  CHECK(text.find("\nHost rv-aaaaaa rv-train\n") != std::string::npos);
  CHECK(text.find("\nHost rv-bbbbbb\n") != std::string::npos);
  CHECK(text.find("\nHost rv-cccccc\n") != std::string::npos);
  CHECK(text.find("\nHost rv-dddddd\n") != std::string::npos);
}

TEST_CASE("the login node's list of runs is rejected as a whole if a part is not valid") {
  const SshRuns sent{.user = UserName("ann"), .runs = {run("k3f9x2", "two words")}};
  CHECK(parse_ssh_runs(to_text(sent)).runs == sent.runs);
  for (const char* text : {R"({"user":"ann\nHost *","runs":[]})", R"({"user":"","runs":[]})",
                           R"({"user":"a b","runs":[]})", R"({"user":"ann","runs":[["k3f9x2\n  ProxyCommand x","x"]]})",
                           R"({"user":"ann","runs":[["k3 x","x"]]})", R"({"user":"ann","runs":[["k3f9x2","a\nb"]]})",
                           R"({"user":1,"runs":[]})", R"({"user":"ann","runs":[[1,2]]})"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(parse_ssh_runs(text), Error);
  }
}

TEST_CASE("values can't leave their line or their quotation") {
  CHECK(SshConfigValue::quoted("/a b/%h").text() == "\"/a b/%%h\"");
  CHECK(SshConfigValue::command({"rv", "it's %h"}).text().find("%%h") != std::string::npos);
  for (const char* home : {"/a\nHost *", "/a\"b", "/a\\b", "/a${HOME}", "/a\rb", "/a\x7f"}) {
    CAPTURE(home);
    CHECK_THROWS_AS(config({run("k3f9x2", "x")}, home), Error);
    CHECK_THROWS_AS(config({run("k3f9x2", "x")}, "/h", home), Error);
  }
  CHECK_THROWS_AS(SshConfigValue::command({"rv", "a\nProxyCommand b"}), Error);
}

TEST_CASE("an entry is taken out of a file of rv's own lines only") {
  const TemporaryFolder folder;
  const std::string home = folder.path();
  rv::os::make_folder(home + "/ssh");
  const auto write = [&](const std::string& text) { rv::os::write_file(ssh_config_path(home), text); };
  const auto now = [&] { return rv::os::read_file(ssh_config_path(home)).value_or(""); };
  const std::string text = config({run("aaaaaa", "one"), run("bbbbbb", "")});
  write(text);
  forget_ssh_entry(home, "aaaaaa");
  CHECK(now().find("aaaaaa") == std::string::npos);
  CHECK(now().find("Host rv-bbbbbb") != std::string::npos);
  const std::string changed = text + "\nHost *\n  LocalCommand x\n";
  write(changed);
  forget_ssh_entry(home, "aaaaaa");
  CHECK(now() == changed);
}
