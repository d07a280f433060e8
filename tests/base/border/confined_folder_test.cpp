#include "base/border/confined_folder.h"

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/os/atomic_file.h"
#include "base/os/listing.h"
#include "tests/base/temporary_folder.h"

namespace rv {
namespace {

ReportName named(const char* name) {
  return *ReportName::parse(ReportKind::sweep, name);
}

}  // namespace

TEST_CASE("a file below a confined folder is replaced whole") {
  const TemporaryFolder work;
  const ConfinedFolder folder(work / "host");
  folder.replace(named("n_1/deep/training.log"), "first and long");
  folder.replace(named("n_1/deep/training.log"), "second");
  CHECK(os::read_file(work / "host/n_1/deep/training.log") == "second");
  CHECK(os::names_in(work / "host/n_1/deep") == std::vector<std::string>{"training.log"});
}

TEST_CASE("nothing is written through a symbolic link") {
  const TemporaryFolder work;
  work.write("outside/kept", "kept");
  work.write("host/x", "");
  REQUIRE(::symlink("../outside", (work / "host/n_1").c_str()) == 0);
  REQUIRE(::symlink("../outside/kept", (work / "host/file").c_str()) == 0);
  const ConfinedFolder folder(work / "host");
  CHECK_THROWS_AS(folder.replace(named("n_1/authorized_keys"), "a key"), Error);
  CHECK_THROWS_AS(folder.replace(named("n_1/deep/authorized_keys"), "a key"), Error);
  CHECK(os::names_in(work / "outside") == std::vector<std::string>{"kept"});
  // The link itself is what a file replaces.
  folder.replace(named("file"), "new");
  CHECK(os::read_file(work / "outside/kept") == "kept");
  CHECK(os::read_file(work / "host/file") == "new");
  REQUIRE(::symlink("host", (work / "link").c_str()) == 0);
  CHECK_THROWS_AS(ConfinedFolder(work / "link"), Error);
}

TEST_CASE("a folder in the place of a report, and a file in that of a folder, are errors") {
  const TemporaryFolder work;
  const ConfinedFolder folder(work / "host");
  folder.replace(named("a/b"), "x");
  CHECK_THROWS_AS(folder.replace(named("a"), "x"), Error);
  CHECK_THROWS_AS(folder.replace(named("a/b/c"), "x"), Error);
  CHECK(os::names_in(work / "host") == std::vector<std::string>{"a"});
}

}  // namespace rv
