#include "base/os/detached_process.h"

#include <unistd.h>

#include <csignal>

#include "base/error.h"
#include "base/os/child.h"

namespace rv::os {

namespace {

// A grandchild that nobody waits for.
void start_and_leave(const std::function<void()>& work) {
  const Descriptor null = null_device();
  const auto alone = [&] {
    // Whoever waits for the caller's pipes to close must not wait for this process.
    close_from(STDERR_FILENO + 1);
    // rv on a laptop sends its signals to every process of the command, and this is one of them.
    for (const int signal : {SIGINT, SIGHUP, SIGQUIT}) std::signal(signal, SIG_IGN);
    std::signal(SIGTERM, SIG_DFL);
    work();
    return 0;
  };
  const Child child({.in = null.number(), .out = null.number(), .err = null.number(), .work = alone});
}

}  // namespace

bool run_detached(const std::function<void()>& work) {
  try {
    return Child({.group = Group::own_session,
                  .work =
                      [&] {
                        start_and_leave(work);
                        return 0;
                      }})
               .wait() == 0;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace rv::os
