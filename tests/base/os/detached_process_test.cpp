#include "base/os/detached_process.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <thread>

#include "base/os/atomic_file.h"
#include "base/os/pipe.h"
#include "tests/base/temporary_folder.h"

using namespace rv::os;
using namespace std::chrono_literals;

TEST_CASE("detached work continues in its own session, without streams") {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/said";
  const std::string go = folder.path() + "/go";
  Pipe held;
  const auto work = [&] {
    for (int i = 0; i < 1000 && !read_file(go); ++i) std::this_thread::sleep_for(10ms);
    const bool null = std::filesystem::read_symlink("/proc/self/fd/1") == "/dev/null";
    const bool closed = ::fcntl(held.end(1), F_GETFD) < 0;
    struct sigaction now = {};
    ::sigaction(SIGINT, nullptr, &now);
    write_file(path,
               std::to_string(::getsid(0)) + (null && closed && now.sa_handler == SIG_IGN ? " well" : " not well"));
  };
  CHECK(run_detached(work));
  // A reader of our pipes does not wait for the work.
  held.close_end(1);
  std::array<char, 1> byte;
  CHECK(::read(held.end(0), byte.data(), 1) == 0);
  CHECK(!read_file(path));
  write_file(go, "");
  for (int i = 0; i < 500 && !read_file(path); ++i) std::this_thread::sleep_for(10ms);
  const auto said = read_file(path).value_or("");
  CHECK(said.ends_with(" well"));
  CHECK(!said.starts_with(std::to_string(::getsid(0)) + " "));
}

TEST_CASE("an exception in detached work has no effect") {
  CHECK(run_detached([] { throw std::runtime_error("lost"); }));
}
