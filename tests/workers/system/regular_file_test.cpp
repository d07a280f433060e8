#include "workers/system/regular_file.h"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <fstream>

#include "tests/base/temporary_folder.h"

namespace rv::workers {
namespace {

std::string reason_of(const std::string& path, std::uint64_t most = 1000) {
  try {
    read_regular_file(path, most);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a data file is a regular file of a bounded size") {
  const TemporaryFolder folder;
  const auto path = folder.path() + "/file";
  std::ofstream(path) << "0123456789";
  CHECK(read_regular_file(path, 10) == "0123456789");
  CHECK(reason_of(path, 9) == "cannot read " + path + ": it is larger than 9 bytes");
  CHECK(reason_of(folder.path()) == "cannot read " + folder.path() + ": it is a folder");
  CHECK(reason_of("/dev/zero") == "cannot read /dev/zero: it is not a regular file");
  CHECK(reason_of(path + "-not") == "cannot read " + path + "-not: No such file or directory");
  const auto pipe = folder.path() + "/pipe";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  CHECK(reason_of(pipe) == "cannot read " + pipe + ": it is not a regular file");
}

TEST_CASE("parts of a data file are read where they lie, and no part behind its end") {
  const TemporaryFolder folder;
  const auto path = folder.path() + "/file";
  std::ofstream(path) << "0123456789";
  const RegularFile file(path);
  CHECK(file.bytes() == 10);
  std::string part(4, ' ');
  CHECK(file.read(6, part.data(), 4));
  CHECK(part == "6789");
  CHECK_FALSE(file.read(7, part.data(), 4));
  CHECK_FALSE(file.read(std::uint64_t{1} << 62, part.data(), 1));
}

}  // namespace rv::workers
