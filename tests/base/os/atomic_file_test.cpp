#include "base/os/atomic_file.h"

#include <dlfcn.h>
#include <doctest/doctest.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <functional>

#include "base/error.h"
#include "shared/system/descriptor.h"
#include "tests/base/temporary_folder.h"

using namespace rv;
using namespace rv::os;

namespace {

// What the calls below do instead of the system's.
int fsync_fails_with = 0;
int close_fails_with = 0;
int random_bytes_are_equal = 0;  // so many times
std::function<void()> at_fsync;

template <typename Function>
Function* real(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

int failed_with(int& reason) {
  errno = std::exchange(reason, 0);
  return -1;
}

std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) names.push_back(entry.path().filename());
  return names;
}

}  // namespace

// The whole test program's: a file system that fails late can't be had everywhere.
extern "C" int fsync(int fd) {
  if (at_fsync) at_fsync();
  return fsync_fails_with != 0 ? failed_with(fsync_fails_with) : real<int(int)>("fsync")(fd);
}

extern "C" int close(int fd) {
  const int result = real<int(int)>("close")(fd);
  return close_fails_with != 0 ? failed_with(close_fails_with) : result;
}

extern "C" ssize_t getrandom(void* buffer, size_t size, unsigned flags) {
  if (random_bytes_are_equal-- <= 0) return real<ssize_t(void*, size_t, unsigned)>("getrandom")(buffer, size, flags);
  std::memset(buffer, 7, size);
  return static_cast<ssize_t>(size);
}

TEST_CASE("a file is replaced whole, and only its owner may read it") {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/file";
  CHECK(!read_file(path));
  write_file(path, "one");
  write_file(path, std::string(200'000, 'x'));
  CHECK(read_file(path)->size() == 200'000);
  write_file(path, "");
  CHECK(read_file(path) == "");
  CHECK(names_in(folder.path()) == std::vector<std::string>{"file"});
  struct stat status = {};
  REQUIRE(::stat(path.c_str(), &status) == 0);
  CHECK((status.st_mode & 0777U) == 0600U);
}

TEST_CASE("a program gets its mode with its name") {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/program";
  write_file(path, "#!/bin/sh\n", 0700);
  struct stat status = {};
  REQUIRE(::stat(path.c_str(), &status) == 0);
  CHECK((status.st_mode & 0777U) == 0700U);
}

TEST_CASE("names are stored with their folder; a missing one is not an error") {
  const TemporaryFolder folder;
  int stored = 0;
  at_fsync = [&] { ++stored; };
  store_names(folder.path());
  CHECK(stored == 1);
  store_names(folder.path() + "/none");
  CHECK(stored == 1);
  at_fsync = nullptr;
}

TEST_CASE("a reproducible file is replaced completely, without fsync, and a failure is not an error") {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/file";
  bool waited = false;
  at_fsync = [&] { waited = true; };
  CHECK(replace_file(path, "before"));
  close_fails_with = EDQUOT;
  CHECK(!replace_file(path, "after"));
  CHECK(errno == EDQUOT);
  at_fsync = nullptr;
  CHECK(!waited);
  CHECK(read_file(path) == "before");
  CHECK(names_in(folder.path()) == std::vector<std::string>{"file"});
  struct stat status = {};
  REQUIRE(::stat(path.c_str(), &status) == 0);
  CHECK((status.st_mode & 0777U) == 0600U);
  CHECK(!replace_file(folder.path() + "/no/such/folder/file", "x"));
  CHECK(errno == ENOENT);
}

TEST_CASE("an error that is reported late leaves the file unchanged, and no temporary file") {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/file";
  write_file(path, "before");
  for (int* call : {&fsync_fails_with, &close_fails_with}) {
    *call = EDQUOT;
    try {
      write_file(path, "after");
      FAIL("no error");
    } catch (const rv::Error& error) {
      CHECK(std::string(error.what()) == "can't write " + path + ": Disk quota exceeded");
      CHECK(error.advice().find("free some space") != std::string::npos);
    }
    CHECK(read_file(path) == "before");
    CHECK(names_in(folder.path()) == std::vector<std::string>{"file"});
  }
  fsync_fails_with = EINVAL;  // a file system without it
  write_file(path, "after");
  CHECK(read_file(path) == "after");
}

TEST_CASE("the content is stored before the name is given to it") {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/file";
  std::vector<std::string> meanwhile;
  at_fsync = [&] { meanwhile = names_in(folder.path()); };
  write_file(path, "content");
  at_fsync = nullptr;
  REQUIRE(meanwhile.size() == 1);
  char host[256] = {};
  REQUIRE(::gethostname(host, sizeof host - 1) == 0);
  CHECK(meanwhile[0].starts_with("file.tmp." + std::string(host) + "." + std::to_string(::getpid()) + "."));
  CHECK(is_unfinished_file(meanwhile[0]));
}

TEST_CASE("a writer never touches what another one is writing") {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/file";
  std::string other;
  random_bytes_are_equal = 1;
  at_fsync = [&] { other = names_in(folder.path()).front(); };
  write_file(path, "first");
  at_fsync = nullptr;
  std::filesystem::rename(path, folder.path() + "/" + other);  // as if another writer were at it
  random_bytes_are_equal = 1;
  write_file(path, "second");
  CHECK(read_file(folder.path() + "/" + other) == "first");
  CHECK(read_file(path) == "second");
}

TEST_CASE("unfinished files are recognised by their names") {
  for (const auto* name : {"run.json.tmp.4711", "run.json.tmp.login1.4711.0123456789abcdef",
                           "a.tmp.b.tmp.login-1.site.edu.1.ffffffffffffffff"}) {
    CAPTURE(name);
    CHECK(is_unfinished_file(name));
  }
  for (const auto* name :
       {"run.json", ".tmp.4711", "model.tmp.final", "x.tmp.", "x.tmp.login1.4711.0123456789abcde",
        "x.tmp.login1.4711.0123456789abcdeg", "x.tmp.login1.47a1.0123456789abcdef", "x.tmp.4711.0123456789abcdef",
        "x.tmp..4711.0123456789abcdef", "x.tmp.login1..0123456789abcdef"}) {
    CAPTURE(name);
    CHECK(!is_unfinished_file(name));
  }
}

TEST_CASE("a file of /proc whose process ends after the open is absent") {
  const pid_t child = ::fork();
  if (child == 0) {
    ::pause();
    ::_exit(0);
  }
  const Descriptor stat(::open(fmt::format("/proc/{}/stat", child).c_str(), O_RDONLY | O_CLOEXEC));
  // The link points to the open file, so that it is found after the process has ended.
  const std::string again = fmt::format("/proc/self/fd/{}", stat.number());
  CHECK(read_file(again).has_value());
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  CHECK_FALSE(read_file(again).has_value());
}
