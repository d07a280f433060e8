#include "cli/settings/scratch_caches.h"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <filesystem>
#include <string>

#include "base/error.h"
#include "tests/base/temporary_folder.h"

using namespace rv;

TEST_CASE("caches in scratch that everyone can write to are refused") {
  const TemporaryFolder scratch;
  CHECK_NOTHROW(check_scratch_caches(scratch.path()));
  for (const std::string name : {"environments", "triton", "pip", "torch"}) {
    const std::string folder = scratch / name;
    std::filesystem::create_directories(folder);
    CHECK_NOTHROW(check_scratch_caches(scratch.path()));
    REQUIRE(::chmod(folder.c_str(), 01777) == 0);
    CHECK_THROWS_WITH_AS(check_scratch_caches(scratch.path()),
                         ("can't trust the folder " + folder + ": everyone can write to it").c_str(), Error);
    REQUIRE(::chmod(folder.c_str(), 0755) == 0);
  }
}
