#include "monitor/node_memory/node_event_folder.h"

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/os/atomic_file.h"
#include "shared/time_text.h"
#include "tests/base/temporary_folder.h"

namespace rv::monitor {
namespace {

using std::chrono::hours;

constexpr TimePoint now{hours(24 * 20'000)};

NodeEvent event(NodeEventKind kind = NodeEventKind::fault) {
  return {.kind = kind,
          .cluster = "west",
          .node = "gpu-3",
          .cause = failures::Cause::gpu_hardware,
          .evidence = "NVRM: Xid (PCI:0000:17:00): 79",
          .run = "abc123",
          .attempt = 2,
          .command = command_hash("/home/u/p", "train"),
          .time = now - hours(3)};
}

TEST_CASE("a failed preflight is recorded, and a program's fault is not read") {
  const TemporaryFolder home;
  const auto folder = NodeEventFolder::own(home.path());
  auto failed = event();
  failed.cause = failures::Cause::preflight;
  folder.write(failed, now);
  auto program = event();
  program.cause = failures::Cause::cuda_out_of_memory;
  folder.write(program, now);
  const auto events = folder.read("west", now);
  REQUIRE(events.size() == 1);
  CHECK(events[0].cause == failures::Cause::preflight);
}

TEST_CASE("an event is read as it was written, once, however often it is written") {
  const TemporaryFolder home;
  const auto folder = NodeEventFolder::own(home.path());
  CHECK(folder.read("west", now).empty());
  folder.write(event(), now);
  folder.write(event(), now);
  const auto events = folder.read("west", now);
  REQUIRE(events.size() == 1);
  CHECK(events[0].node == "gpu-3");
  CHECK(events[0].cause == failures::Cause::gpu_hardware);
  CHECK(events[0].evidence == "NVRM: Xid (PCI:0000:17:00): 79");
  CHECK(events[0].run == "abc123");
  CHECK(events[0].attempt == 2);
  CHECK(events[0].time == now - hours(3));
  CHECK(events[0].user == "you");
  CHECK(folder.read("east", now).empty());
  REQUIRE(folder.names().size() == 1);
  CHECK(folder.names()[0].node == "gpu-3");
  CHECK(folder.names()[0].command == event().command);
}

TEST_CASE("events of more than 14 days ago are not read, and are removed by the next that is written") {
  const TemporaryFolder home;
  const auto folder = NodeEventFolder::own(home.path());
  folder.write(event(), now);
  const auto later = now + node_memory_lasts;
  CHECK(folder.read("west", later).empty());
  CHECK(folder.names().size() == 1);
  auto next = event();
  next.run = "next";
  next.time = later;
  folder.write(next, later);
  CHECK(folder.names().size() == 1);
  CHECK(folder.read("west", later).size() == 1);
}

TEST_CASE("files of a shared folder that hold no event, or another one than their name says, are passed over") {
  const TemporaryFolder home;
  const NodeEventFolder folder(home.path(), true);
  folder.write(event(), now);
  struct stat status = {};
  REQUIRE(::stat((home.path() + "/" + file_name_of(event())).c_str(), &status) == 0);
  CHECK((status.st_mode & 0777) == 0644);
  const auto put = [&](const std::string& name, const std::string& text) {
    os::write_file(home.path() + "/" + name, text);
  };
  put("west@gpu-4@00@r.1.gpu_hardware.json", to_line(event()));  // another node's name
  put("west@gpu-5@00@r.1.gpu_hardware.json", "no json");
  put("west@gpu-6@00@r.1.gpu_hardware.json", std::string(100'000, '['));
  put("note.txt", "mine");
  auto future = event();
  future.run = "future";
  future.time = now + hours(48);
  put(file_name_of(future), to_line(future));
  auto programs = event();
  programs.cause = failures::Cause::python_exception;
  put(file_name_of(programs), to_line(programs));
  auto control = event();
  control.run = "control";
  control.evidence = "\x1b[2Jgone\n";
  put(file_name_of(control), to_line(control));
  std::filesystem::create_symlink("/dev/zero", home.path() + "/west@gpu-7@00@r.1.gpu_hardware.json");
  REQUIRE(::mkfifo((home.path() + "/west@gpu-8@00@r.1.gpu_hardware.json").c_str(), 0600) == 0);
  const auto events = folder.read("west", now);
  REQUIRE(events.size() == 2);
  CHECK(events[0].run == "abc123");
  CHECK(events[1].evidence.find('\x1b') == std::string::npos);
}

TEST_CASE("an event with a name that could leave the folder or the terminal is none") {
  for (const std::string node : {"../n1", "n 1", "n\n1", "", ".", "n@1"}) {
    auto bad = event();
    bad.node = node;
    CHECK_MESSAGE(!parse_node_event(to_line(bad)), node);
    CHECK_MESSAGE(!is_recordable_name(node), node);
  }
  auto bad = event();
  bad.run = "../../x";
  CHECK_FALSE(parse_node_event(to_line(bad)));
  CHECK_FALSE(
      parse_node_event(R"({"event":"fault","cluster":"west","node":"n1","cause":"gpu_hardware","time":1e300})"));
  CHECK_FALSE(parse_node_event(R"({"event":"praise","cluster":"west","node":"n1","time":5})"));
  CHECK_FALSE(parse_file_name("west@gpu-3@00.json"));
  CHECK_FALSE(parse_file_name("west@../x@00@r.json"));
}

}  // namespace
}  // namespace rv::monitor
