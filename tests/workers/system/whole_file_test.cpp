#include "workers/system/whole_file.h"

#include <doctest/doctest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>
#include <iterator>

#include "shared/system/start_child.h"
#include "tests/base/temporary_folder.h"
#include "tests/workers/error_of.h"

using namespace rv::workers;
namespace os = rv::os;

namespace {

std::string content_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

int files_in(const TemporaryFolder& folder) {
  return static_cast<int>(std::distance(std::filesystem::directory_iterator(folder.path()), {}));
}

}  // namespace

TEST_CASE("a worker's file is replaced by all parts in order, and nothing else is left") {
  const TemporaryFolder folder;
  for (const bool stored : {false, true}) {
    replace_file(folder / "f", {"one", "", std::string_view("\0two", 4)}, {.stored = stored});
    CHECK(content_of(folder / "f") == std::string("one\0two", 7));
  }
  replace_file(folder / "f", {});
  CHECK(content_of(folder / "f").empty());
  CHECK(files_in(folder) == 1);
}

TEST_CASE("the file before is kept under the name that is asked for") {
  const TemporaryFolder folder;
  for (const auto* const content : {"1", "2", "3"}) {
    replace_file(folder / "f", {content}, {.stored = true, .keep_as = folder / "f.before"});
  }
  CHECK(content_of(folder / "f") == "3");
  CHECK(content_of(folder / "f.before") == "2");
  CHECK(files_in(folder) == 2);
}

TEST_CASE("a whole file has the mode that any new file has here") {
  const TemporaryFolder folder;
  const auto mask = ::umask(027);
  replace_file(folder / "f", {"x"});
  ::umask(mask);
  struct stat status {};
  REQUIRE(::stat((folder / "f").c_str(), &status) == 0);
  CHECK((status.st_mode & 0777) == 0640);
}

TEST_CASE("what another writer left half is not an obstacle") {
  const TemporaryFolder folder;
  folder.write("f.new", "much longer than what comes");
  replace_file(folder / "f", {"short"});
  CHECK(content_of(folder / "f") == "short");
  CHECK(files_in(folder) == 1);
}

TEST_CASE("if a worker's file can't be written, the old one stays and the reason is reported") {
  const TemporaryFolder folder;
  folder.write("f", "old");
  const auto full =
      os::start_child({.ignored_signals = {SIGXFSZ}, .work = [&folder] {
                         const rlimit few{5, 5};
                         if (::setrlimit(RLIMIT_FSIZE, &few) != 0) return 2;
                         const auto said = rv::tests::error_of([&] {
                           replace_file(folder / "f", {"new", " and too long"}, {.keep_as = folder / "f.before"});
                         });
                         return said == "cannot write " + (folder / "f").string() + ": File too large" ? 0 : 1;
                       }});
  CHECK(os::wait_for(full) == 0);
  CHECK(content_of(folder / "f") == "old");
  CHECK(files_in(folder) == 1);
  CHECK(rv::tests::error_of([&] { replace_file(folder / "none" / "f", {"x"}); }) ==
        "cannot write " + (folder / "none" / "f").string() + ": No such file or directory");
  // A folder of that name can't be replaced by a file.
  folder.write("g/inside", "x");
  CHECK(rv::tests::error_of([&] { replace_file(folder / "g", {"x"}); }).find("Is a directory") != std::string::npos);
  CHECK_FALSE(std::filesystem::exists(folder / "g.new"));
}
