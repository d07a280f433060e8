#include "base/os/file_lock.h"

#include <dlfcn.h>
#include <doctest/doctest.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <thread>
#include <utility>

#include "tests/base/temporary_folder.h"

using namespace rv;
using namespace rv::os;
using namespace std::chrono_literals;

namespace {

std::atomic<int> flock_fails_with = 0;  // the next call, instead of locking

}  // namespace

// The whole test program's: a file system without locks can't be had everywhere.
extern "C" int flock(int file, int operation) noexcept {
  if (const int reason = flock_fails_with.exchange(0); reason != 0) {
    errno = reason;
    return -1;
  }
  return reinterpret_cast<int (*)(int, int)>(::dlsym(RTLD_NEXT, "flock"))(file, operation);
}

TEST_CASE("one has a lock, until its life ends") {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/lock";
  {
    const auto lock = FileLock::try_take(path, WithoutLocks::go_on);
    REQUIRE(lock);
    struct stat status = {};
    REQUIRE(::fstat(lock->number(), &status) == 0);
    CHECK((status.st_mode & 0777U) == 0600U);
    CHECK(!FileLock::try_take(path, WithoutLocks::go_on));
    CHECK(!FileLock::try_take(path, WithoutLocks::leave));
  }
  CHECK(FileLock::try_take(path, WithoutLocks::leave));
}

TEST_CASE("a lock moves with its owner") {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/lock";
  auto first = FileLock::try_take(path, WithoutLocks::leave);
  REQUIRE(first);
  auto second = std::move(first);
  first.reset();
  CHECK(!FileLock::try_take(path, WithoutLocks::leave));
  second.reset();
  CHECK(FileLock::try_take(path, WithoutLocks::leave));
}

TEST_CASE("several processes share the lock, and an exclusive one waits for them") {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/lock";
  auto one = FileLock::wait(path, LockMode::shared);
  auto other = FileLock::wait(path, LockMode::shared);
  REQUIRE(one);
  REQUIRE(other);
  std::atomic<bool> has = false;
  std::thread waiting([&] {
    const auto lock = FileLock::wait(path, LockMode::exclusive);
    has = lock.has_value();
  });
  one.reset();
  std::this_thread::sleep_for(50ms);
  CHECK(!has);
  other.reset();
  waiting.join();
  CHECK(has);
}

TEST_CASE("on a file system without locks each caller decides what that means") {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/lock";
  for (const int reason : {ENOLCK, ENOTSUP}) {
    flock_fails_with = reason;
    CHECK(FileLock::try_take(path, WithoutLocks::go_on));
    flock_fails_with = reason;
    CHECK(!FileLock::try_take(path, WithoutLocks::leave));
    flock_fails_with = reason;
    CHECK(FileLock::wait(path, LockMode::exclusive));
  }
}

TEST_CASE("a signal ends the waiting for an open file, not that for a lock") {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/lock";
  flock_fails_with = EINTR;
  const auto lock = FileLock::wait(path, LockMode::exclusive);
  REQUIRE(lock);
  CHECK(!FileLock::try_take(path, WithoutLocks::leave));
  flock_fails_with = EINTR;
  CHECK(!lock_file(lock->number(), LockMode::exclusive));
  CHECK(errno == EINTR);
  CHECK(lock_file(lock->number(), LockMode::exclusive));
}

TEST_CASE("a file that can't be opened is not a lock, with the reason") {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/no/such/folder/lock";
  CHECK(!FileLock::try_take(path, WithoutLocks::go_on));
  errno = 0;
  CHECK(!FileLock::wait(path, LockMode::exclusive));
  CHECK(errno == ENOENT);
}
