#include "base/os/stamped_folder.h"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "base/error.h"
#include "tests/base/temporary_folder.h"

namespace rv::os {
namespace {

namespace fs = std::filesystem;

TEST_CASE("folders of one second are two, named by the time and closed to others") {
  const TemporaryFolder home;
  const auto parent = home.path() + "/stress";
  const StampedFolder first(parent);
  const StampedFolder second(parent);
  CHECK(first.path() != second.path());
  CHECK(first.path() == parent + "/" + first.name());
  CHECK(first.name().size() == std::string("20261127-120000-1f3a").size());
  CHECK(first.name()[8] == '-');
  struct stat status {};
  REQUIRE(::stat(first.path().c_str(), &status) == 0);
  CHECK((status.st_mode & 0777U) == 0700);
}

TEST_CASE("a folder is removed with what is in it, unless it is kept") {
  const TemporaryFolder home;
  const auto parent = home.path() + "/stress";
  std::string kept;
  {
    StampedFolder one(parent);
    one.keep();
    kept = one.path();
  }
  std::string gone;
  {
    StampedFolder one(parent);
    std::ofstream(one.path() + "/report") << "x";
    one.keep();
    one.discard();
    gone = one.path();
  }
  CHECK(fs::exists(kept));
  CHECK(!fs::exists(gone));
  fs::remove(kept);
  { const StampedFolder last(parent); }
  CHECK(!fs::exists(parent));
}

TEST_CASE("a folder that can't be made is an Error") {
  const TemporaryFolder home;
  home.write("stress", "a file");
  CHECK_THROWS_AS(StampedFolder(home.path() + "/stress"), Error);
}

}  // namespace
}  // namespace rv::os
