#include "base/trust/regular_file.h"

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "base/error.h"
#include "base/trust/project_folder.h"
#include "tests/base/temporary_folder.h"

using namespace rv;

TEST_CASE("only regular files of a bounded size are read") {
  const TemporaryFolder folder;
  folder.write("text", "12345678");
  CHECK(trust::read_regular_file(folder / "text") == "12345678");
  CHECK(trust::read_regular_file(folder / "text", 8) == "12345678");
  CHECK_THROWS_AS(trust::read_regular_file(folder / "text", 7), Error);
  CHECK_FALSE(trust::read_regular_file(folder / "none"));
  CHECK_FALSE(trust::read_regular_file(folder / "text/below"));
  CHECK_THROWS_AS(trust::read_regular_file(folder.path()), Error);
  REQUIRE(::mkfifo((folder / "pipe").c_str(), 0600) == 0);
  CHECK_THROWS_AS(trust::read_regular_file(folder / "pipe"), Error);
  CHECK_THROWS_AS(trust::read_regular_file("/dev/zero"), Error);
  std::filesystem::create_symlink("/dev/zero", folder / "zero");
  CHECK_THROWS_AS(trust::read_regular_file(folder / "zero"), Error);
  std::filesystem::create_symlink("text", folder / "link");
  CHECK(trust::read_regular_file(folder / "link") == "12345678");
  // Its size is said to be 0.
  CHECK(trust::read_regular_file("/proc/self/status")->size() > 100);
}

TEST_CASE("of a long regular file, its beginning is read") {
  const TemporaryFolder folder;
  folder.write("text", "12345678");
  CHECK(trust::read_beginning(folder / "text", 8) == "12345678");
  CHECK(trust::read_beginning(folder / "text", 3) == "123");
  CHECK_FALSE(trust::read_beginning(folder / "none", 8));
  CHECK_FALSE(trust::read_beginning(folder.path(), 8));
  REQUIRE(::mkfifo((folder / "pipe").c_str(), 0600) == 0);
  CHECK_FALSE(trust::read_beginning(folder / "pipe", 8));
  CHECK_FALSE(trust::read_beginning("/dev/zero", 8));
}

TEST_CASE("a project's file that others can change is not used") {
  const TemporaryFolder folder;
  folder.write("text", "a");
  const std::string path = folder / "text";
  CHECK(trust::read_project_file(path) == "a");
  REQUIRE(::chmod(path.c_str(), 0666) == 0);
  CHECK_THROWS_WITH_AS(trust::read_project_file(path), (path + " is not used: everyone can write to it").c_str(),
                       Error);
  REQUIRE(::chmod(path.c_str(), 0644) == 0);
  CHECK(trust::marker_distrust(folder.path(), "text").empty());
  CHECK(trust::marker_distrust(folder.path(), "none").empty());
  REQUIRE(::chmod(folder.path().c_str(), 01777) == 0);
  CHECK(trust::marker_distrust(folder.path(), "text") == folder.path() + ": everyone can write to it");
  CHECK(trust::marker_distrust(folder.path(), "none").empty());
}
