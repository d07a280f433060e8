#include "cli/remote/sync/project_store.h"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "base/error.h"
#include "cli/remote/sync/snapshot.h"

namespace rv::sync {

namespace {

namespace fs = std::filesystem;
using Paths = std::vector<std::string>;

/// A project's folder on the cluster, gone with the test.
struct Cluster {
  Cluster() {
    home = (fs::temp_directory_path() / "rv-store-XXXXXX").string();
    REQUIRE(::mkdtemp(home.data()) != nullptr);
    fs::create_directories(store().files());
  }
  ~Cluster() { fs::remove_all(home); }
  Cluster(const Cluster&) = delete;
  Cluster& operator=(const Cluster&) = delete;

  sync::ProjectStore store() const { return {home, "net-1"}; }
  void write(const std::string& path, const std::string& text = "x") const {
    const fs::path whole = fs::path(store().files()) / path;
    fs::create_directories(whole.parent_path());
    // As rsync does it: another file in its place.
    std::ofstream(whole.string() + ".new") << text;
    fs::rename(whole.string() + ".new", whole);
  }
  bool has(const std::string& path) const { return fs::exists(fs::symlink_status(fs::path(store().files()) / path)); }

  std::string home;
};

std::string text_of(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace

TEST_CASE("names that lead out of the projects' folder are refused") {
  for (const char* name : {"", "..", "a/b", ".removed.x", "a b", "/etc"})
    CHECK_THROWS_AS(ProjectStore("/h", name), Error);
  CHECK(ProjectStore("/h", "net-1a").files() == "/h/projects/net-1a/files");
}

TEST_CASE("deletion removes files and empty folders, and none outside the project") {
  const Cluster cluster;
  const std::string outside = cluster.home + "/outside";
  fs::create_directory(outside);
  std::ofstream(outside + "/precious") << "x";
  for (const char* path : {"a/b/c", "a/b/d", "kept/x", "kept/y", "folder/x"}) cluster.write(path);
  fs::create_directory_symlink(outside, cluster.store().files() + "/link");
  const Paths paths{
      "a/b/c",  "a/b/d",     "kept/x", "link/precious", "../../../outside/precious", outside + "/precious",
      "folder", "never/was", "",       "kept/../kept/y"};
  CHECK(sync::remove_files(cluster.store(), paths, true) == Paths{"a/b/c", "a/b/d", "kept/x"});
  CHECK(cluster.has("a/b/c"));
  CHECK(sync::remove_files(cluster.store(), paths, false) == Paths{"a/b/c", "a/b/d", "kept/x"});
  CHECK_FALSE(cluster.has("a"));
  CHECK(cluster.has("kept/y"));
  CHECK(cluster.has("folder/x"));
  CHECK(fs::exists(outside + "/precious"));
  // A link itself is a file that was pushed.
  CHECK(sync::remove_files(cluster.store(), {"link"}, false) == Paths{"link"});
  CHECK(fs::exists(outside + "/precious"));
}

TEST_CASE("a snapshot stays as it was when the project's files are replaced") {
  const Cluster cluster;
  CHECK_THROWS_AS(sync::make_snapshot(ProjectStore(cluster.home, "other")), Error);
  cluster.write("src/main.py", "one");
  cluster.write(".rv-partial/big");
  fs::create_symlink("src/main.py", cluster.store().files() + "/link");
  const std::string snapshot = sync::make_snapshot(cluster.store());
  cluster.write("src/main.py", "two");
  CHECK(text_of(snapshot + "/src/main.py") == "one");
  CHECK(fs::read_symlink(snapshot + "/link") == "src/main.py");
  CHECK_FALSE(fs::exists(snapshot + "/.rv-partial"));
  CHECK(text_of(sync::make_snapshot(cluster.store()) + "/src/main.py") == "two");
}

TEST_CASE("files that a run has written into its snapshot are found") {
  const Cluster cluster;
  cluster.write("main.py");
  const std::string snapshot = sync::make_snapshot(cluster.store());
  CHECK_FALSE(sync::holds_own_files(snapshot));
  fs::create_directories(snapshot + "/__pycache__");
  std::ofstream(snapshot + "/__pycache__/main.pyc") << "x";
  fs::remove(snapshot + "/main.py");
  CHECK_FALSE(sync::holds_own_files(snapshot));
  fs::create_directories(snapshot + "/results");
  CHECK_FALSE(sync::holds_own_files(snapshot));
  std::ofstream(snapshot + "/results/model") << "x";
  CHECK(sync::holds_own_files(snapshot));

  const std::string changed = sync::make_snapshot(cluster.store());
  std::ofstream(changed + "/main.py") << "longer";
  CHECK(sync::holds_own_files(changed));
  const std::string unknown = sync::make_snapshot(cluster.store());
  fs::remove(unknown + ".list");
  CHECK(sync::holds_own_files(unknown));
}

}  // namespace rv::sync
