// A run's output on its way to a laptop, and what becomes of it when nobody reads.
#include "cli/remote/hop/follow_channel.h"

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <functional>
#include <map>
#include <string>

#include "base/os/atomic_file.h"
#include "cli/remote/hop/marks.h"
#include "tests/base/temporary_folder.h"

using namespace rv;

namespace {

remote::HopRequest request() {
  remote::HopRequest request;
  request.token = "t0";
  return request;
}

/// A process with a pipe for stdout, for it ends where it would.
struct Child {
  explicit Child(const std::function<void()>& work) {
    int ends[2];
    REQUIRE(::pipe(ends) == 0);
    std::fflush(nullptr);  // or the child writes what the test has to say, too: ThreadSanitizer's _exit does
    process = ::fork();
    if (process == 0) {
      ::dup2(ends[1], STDOUT_FILENO);
      ::close(ends[0]);
      ::close(ends[1]);
      work();
      ::_exit(0);
    }
    ::close(ends[1]);
    out = ends[0];
  }
  std::string all() const {
    std::string text;
    char part[4096];
    for (ssize_t count = 0; (count = ::read(out, part, sizeof part)) > 0;)
      text.append(part, static_cast<size_t>(count));
    return text;
  }
  int exit_code() const {
    int status = 0;
    ::waitpid(process, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  pid_t process = -1;
  int out = -1;
};

}  // namespace

TEST_CASE("the parts of an output come with their places, and who comes back finds the run") {
  const TemporaryFolder home;
  const std::string notes = home.path() + "/notes";
  const std::string text(70'000, 'x');
  const Child child([&] {
    remote::FollowChannel channel(request());
    channel.follow("r1", notes);
    channel.begin_output(true, false, monitor::Bars::live);
    channel.write(monitor::Stream::err, "n1", text, 100'000);
  });
  std::string got;
  std::vector<std::string> marks;
  remote::MarkReader reader("t0");
  reader.feed(child.all(), {.text = [&](std::string_view bytes) { got += bytes; },
                            .mark =
                                [&](std::string_view words, std::string_view part) {
                                  marks.emplace_back(words);
                                  got += part;
                                }});
  ::close(child.out);
  CHECK(child.exit_code() == 0);
  CHECK(got == text);
  CHECK(marks == std::vector<std::string>{"run r1", "output several apart live", "log err 32768 62768 n1",
                                          "log err 32768 95536 n1", "log err 4464 100000 n1"});
  CHECK(os::read_file(notes + "/t0") == "r1\n");
}

TEST_CASE("a follower without a reader ends, also while there is no output") {
  const TemporaryFolder home;
  const Child child([&] {
    remote::FollowChannel channel(request());
    channel.follow("r1", home.path() + "/notes");
    ::alarm(60);
    for (;;) ::pause();
  });
  char first = 0;
  REQUIRE(::read(child.out, &first, 1) == 1);
  ::close(child.out);
  CHECK(child.exit_code() == 129);
}
