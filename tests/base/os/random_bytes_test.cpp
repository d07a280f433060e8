#include "base/os/random_bytes.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <array>
#include <string>

#include "base/os/unnamed_file.h"

namespace rv::os {

TEST_CASE("random bytes fill what is asked for, and differ") {
  std::array<unsigned char, 4096> first{};
  std::array<unsigned char, 4096> second{};
  REQUIRE(fill_randomly(first));
  REQUIRE(fill_randomly(second));
  CHECK(first != second);
  CHECK(first.back() + first[first.size() - 2] + first[first.size() - 3] + first[first.size() - 4] != 0);
}

TEST_CASE("random digits are two a byte") {
  const auto text = random_hex(8);
  CHECK(text.size() == 16);
  CHECK(text.find_first_not_of("0123456789abcdef") == std::string::npos);
  CHECK(text != random_hex(8));
  CHECK(random_hex(0).empty());
}

TEST_CASE("a file without a name is empty, and holds what is written") {
  const auto file = unnamed_file();
  CHECK(::lseek(file.number(), 0, SEEK_END) == 0);
  REQUIRE(::write(file.number(), "abc", 3) == 3);
  std::array<char, 3> read{};
  CHECK(::pread(file.number(), read.data(), read.size(), 0) == 3);
  CHECK(std::string(read.data(), read.size()) == "abc");
}

}  // namespace rv::os
