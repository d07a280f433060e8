#include "cli/remote/sync/inside_path.h"

#include <doctest/doctest.h>

#include <filesystem>

#include "cli/remote/sync/rsync_output.h"
#include "tests/base/temporary_folder.h"

namespace rv::sync {

TEST_CASE("a path that leaves its folder is distinguished from one that does not") {
  for (const char* path : {"a", "a/b", "..a", "a..b/c", "...", ".git", " ", "-x", "a\nb", "\xff"})
    CHECK(is_inside(path));
  for (const char* path : {"", "/", "/a", "..", "../a", "a/..", "a/../b", ".", "./a", "a//b", "a/", "a/./b"}) {
    CAPTURE(path);
    CHECK_FALSE(is_inside(path));
  }
  CHECK_FALSE(is_inside(std::string_view("a\0b", 3)));
}

TEST_CASE("a path below a link is found, but not the link itself") {
  const TemporaryFolder folder;
  folder.write("real/a", "x");
  std::filesystem::create_directory_symlink("/etc", folder / "link");
  std::filesystem::create_directory_symlink("/etc", folder / "real/deep");
  LinkedFolders folders(folder.path());
  CHECK_FALSE(folders.leads_through_link("link"));
  CHECK_FALSE(folders.leads_through_link("real/a"));
  CHECK(folders.leads_through_link("link/passwd"));
  CHECK(folders.leads_through_link("link/ssh/config"));
  CHECK(folders.leads_through_link("real/deep/passwd"));
  CHECK_FALSE(folders.leads_through_link("missing/a"));
}

TEST_CASE("rsync's line about an unsafe link names it") {
  CHECK(parse_refused_link(R"(ignoring unsafe symlink "./a b" -> "/etc/passwd")") == "a b");
  CHECK(parse_refused_link(R"(ignoring unsafe symlink "x/y\#012" -> "../..")") == "x/y\n");
  CHECK_FALSE(parse_refused_link("ignoring unsafe symlink").has_value());
  CHECK_FALSE(parse_refused_link("@>f+++++++++ 1 2026/11/21-15:09:32 ignoring unsafe symlink").has_value());
}

}  // namespace rv::sync
