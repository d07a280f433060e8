#include "shared/system/descriptor.h"

#include <doctest/doctest.h>
#include <fcntl.h>

#include <cerrno>

using namespace rv::os;

namespace {

bool is_open(int number) {
  return ::fcntl(number, F_GETFD) >= 0;
}

Descriptor null() {
  return Descriptor(::open("/dev/null", O_RDONLY | O_CLOEXEC));
}

}  // namespace

TEST_CASE("a descriptor is closed once, with its last owner") {
  int number = -1;
  {
    Descriptor first = null();
    number = first.number();
    const Descriptor second = std::move(first);
    CHECK(first.number() == -1);  // NOLINT(bugprone-use-after-move): that is what is asked
    CHECK(second.number() == number);
    CHECK(is_open(number));
  }
  CHECK(!is_open(number));
  Descriptor other = null();
  const int before = other.number();
  other = Descriptor();
  CHECK(!is_open(before));
}

TEST_CASE("a released descriptor stays open, and an invalid one can be closed") {
  Descriptor one = null();
  const Descriptor again(one.release());
  CHECK(one.number() == -1);
  CHECK(is_open(again.number()));
  CHECK(one.close());
}

TEST_CASE("a close that the system refuses is reported") {
  Descriptor one = null();
  ::close(one.number());
  CHECK(!one.close());
  CHECK(errno == EBADF);
  CHECK(one.number() == -1);
}
