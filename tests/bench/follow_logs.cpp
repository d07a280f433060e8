// What following the logs of an array costs: opens, questions for sizes and listings a second, and how late a line is
// seen. Prints JSON; "strace -fc -e trace=openat,newfstatat,getdents64" counts what reaches the file system.
//
// usage: follow_logs ELEMENTS ACTIVE SECONDS: of so many elements, each with .out and .err, so many write a line a
// second.
#include <sys/inotify.h>
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>

#include "monitor/follow/log_follower.h"

using namespace rv;
using Clock = std::chrono::steady_clock;

namespace {

class Opens {
 public:
  explicit Opens(const std::string& folder) : fd_(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC)) {
    ::inotify_add_watch(fd_, folder.c_str(), IN_OPEN);
  }
  ~Opens() { ::close(fd_); }
  Opens(const Opens&) = delete;
  Opens& operator=(const Opens&) = delete;
  long take() const {
    long opens = 0;
    alignas(inotify_event) char buffer[65536];
    for (ssize_t size = 0; (size = ::read(fd_, buffer, sizeof buffer)) > 0;) {
      for (ssize_t at = 0; at < size; ++opens) {
        at += static_cast<ssize_t>(sizeof(inotify_event) + reinterpret_cast<const inotify_event*>(buffer + at)->len);
      }
    }
    return opens;
  }

 private:
  int fd_;
};

double cpu_seconds() {
  rusage usage = {};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: follow_logs ELEMENTS ACTIVE SECONDS\n");
    return 2;
  }
  const int elements = std::atoi(argv[1]);
  const int active = std::atoi(argv[2]);
  std::string folder = (std::filesystem::temp_directory_path() / "rv-follow-XXXXXX").string();
  if (::mkdtemp(folder.data()) == nullptr) return 1;
  const auto log = [&](int element, const char* end) { return folder + "/" + std::to_string(element) + end; };
  for (int i = 0; i < elements; ++i) {
    std::ofstream(log(i, ".out")) << "begun\n";
    std::ofstream(log(i, ".err"));
  }
  monitor::LogFollower logs(folder);
  long seen = 0;
  const monitor::LogSink sink = [&](monitor::Stream, std::string_view, std::string_view text) {
    seen += static_cast<long>(text.size());
  };
  while (logs.poll(sink)) continue;

  const Opens opens(folder);
  const auto begun = Clock::now();
  const auto since = [&] { return std::chrono::duration<double>(Clock::now() - begun).count(); };
  const double cpu = cpu_seconds();
  long counted = 0;
  long polls = 0;
  long by_writers = 0;
  long lines = 0;
  for (double next = 0; since() < std::atof(argv[3]); ++polls) {
    const bool any = logs.poll(sink);
    counted += opens.take();
    if (since() >= next) {
      for (int i = 0; i < active; ++i) std::ofstream(log(i, ".out"), std::ios::app) << "a line\n";
      by_writers += opens.take();
      lines += active;
      next += 1;
    }
    if (!any) std::this_thread::sleep_for(std::chrono::milliseconds(100));  // as rv run -f does in its first minute
  }
  nlohmann::ordered_json report;
  report["files"] = 2 * elements;
  report["polls_per_s"] = static_cast<double>(polls) / since();
  report["opens_per_s"] = static_cast<double>(counted) / since();
  report["lines_per_s"] = static_cast<double>(lines) / since();
  report["cpu_of_one_core"] = (cpu_seconds() - cpu) / since();
  report["opens_of_the_bench"] = by_writers;
  std::printf("%s\n", report.dump(1).c_str());
  std::filesystem::remove_all(folder);
  return 0;
}
