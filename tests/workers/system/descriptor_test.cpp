#include "workers/system/descriptor.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <optional>
#include <utility>

using namespace rv::workers;

namespace {

bool is_open(int number) {
  return ::fcntl(number, F_GETFD) >= 0;
}

Descriptor opened() {
  return Descriptor(::open("/dev/null", O_RDONLY | O_CLOEXEC));
}

}  // namespace

TEST_CASE("a worker's descriptor is closed with its last owner, and once") {
  int number = -1;
  {
    auto first = opened();
    number = first.number();
    REQUIRE(is_open(number));
    const Descriptor second = std::move(first);
    CHECK(second.number() == number);
    CHECK(is_open(number));
  }
  CHECK_FALSE(is_open(number));
}

TEST_CASE("a worker's descriptor that gets another one closes what it had") {
  auto one = opened();
  const int before = one.number();
  auto other = opened();
  const int after = other.number();
  one = std::move(other);
  CHECK(one.number() == after);
  CHECK(is_open(after));
  CHECK_FALSE(is_open(before));
}

TEST_CASE("closing a worker's descriptor says whether that went well, and leaves nothing to close") {
  auto one = opened();
  const int number = one.number();
  CHECK(one.close());
  CHECK_FALSE(is_open(number));
  CHECK(one.number() == -1);
  CHECK(one.close());
  Descriptor taken(number);  // is closed already
  errno = 0;
  CHECK_FALSE(taken.close());
  CHECK(errno == EBADF);
}
