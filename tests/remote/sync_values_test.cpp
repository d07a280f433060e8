#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

#include "cli/remote/sync/changes.h"
#include "cli/remote/sync/file_state.h"
#include "cli/remote/sync/project.h"
#include "cli/remote/sync/pull_choice.h"
#include "cli/remote/sync/rsync_output.h"
#include "cli/remote/sync/rsync_shell.h"

namespace rv::sync {

namespace {

constexpr unsigned plain_file = 0100644;
constexpr unsigned program = 0100755;
constexpr long long second = 1'000'000'000;

sync::FileState file(long long size, long long mtime_s, unsigned mode = plain_file) {
  return {.mode = mode, .size = size, .mtime_ns = mtime_s * second};
}

sync::Transfer there(const std::string& path, long long size, long long mtime, bool fresh = false) {
  return {.path = path, .fresh = fresh, .size = size, .mtime = mtime, .content = true};
}

using Paths = std::vector<std::string>;

}  // namespace

TEST_CASE("rsync's line for a file is parsed") {
  // rsync 3.2.7 and 3.5.0, --out-format as rsync_output.h says, LC_ALL=C, TZ=UTC
  CHECK(sync::parse_transfer("@<f+++++++++ 4 2026/11/21-15:09:32 a b") == there("a b", 4, 1795273772, true));
  CHECK(sync::parse_transfer("@>f.st...... 1,234 2026/11/21-15:09:32 x") == there("x", 1234, 1795273772));
  CHECK(sync::parse_transfer("@cL+++++++++ 7 1970/01/01-00:00:00 link") == there("link", 7, 0, true));
  const auto mode = sync::parse_transfer("@.f...p..... 4 2026/11/21-15:09:32 run.sh");
  REQUIRE(mode);
  CHECK_FALSE(mode->content);
  CHECK_FALSE(mode->fresh);
  for (const char* other : {"@cd+++++++++ 4096 2026/11/21-15:09:32 d/", "@*deleting   0 1970/01/01-00:00:00 x",
                            "sending incremental file list", "", "@", "@<f+++++++++ 4 2026/11/21-15:09:32",
                            "@<f+++++++++ x 2026/11/21-15:09:32 a"}) {
    CHECK_FALSE(sync::parse_transfer(other));
  }
}

TEST_CASE("bytes that rsync escapes come back") {
  CHECK(sync::unescaped("new\\#012line") == "new\nline");
  CHECK(sync::unescaped("\\#377\\#376") == "\xff\xfe");
  CHECK(sync::unescaped("back\\#134#012") == "back\\#012");
  CHECK(sync::unescaped("\\#09 \\#8 \\#") == "\\#09 \\#8 \\#");
}

TEST_CASE("rsync's progress") {
  CHECK(sync::parse_progress("     1,234  30%    1.20MB/s    0:00:01 (xfr#6, to-chk=0/8)") == "30 %, 1.20MB/s");
  CHECK_FALSE(sync::parse_progress("@<f+++++++++ 4 2026/11/21-15:09:32 a 5% 3MB/s x"));
  CHECK_FALSE(sync::parse_progress("building file list ... done"));
}

TEST_CASE("lines are put together from parts") {
  Paths seen;
  sync::Lines lines([&](std::string_view line) { seen.emplace_back(line); });
  for (const char* part : {"\r  0", "%\r", "ab", "c\nd\n", "", "e"}) lines.feed(part);
  CHECK(seen == Paths{"  0%", "abc", "d"});
}

TEST_CASE("changes are listed as text") {
  CHECK(sync::summary({}) == "nothing changed");
  CHECK(sync::summary({{"a", "b", "c"}, {"d", "e"}, {"f"}, 12'400}) == "3 new, 2 changed, 1 gone, 12.4 KB");
  CHECK(sync::summary({{}, {}, {"f"}, 0}) == "1 gone");
  CHECK(sync::size_in_words(999) == "999 B");
  CHECK(sync::size_in_words(999'999) == "1.0 MB");
  CHECK(sync::size_in_words(2'500'000'000) == "2.5 GB");
  CHECK(sync::listing({{"a\nb"}, {}, {"c d"}, 1}) == "new      \"a\\nb\"\ngone     c d\n");
}

TEST_CASE("the list of pushed files comes back as it was") {
  const sync::FileStates states{{"a", file(1, 2)}, {"b\nc \xff", file(3, 4, program)}, {"-d", {.mode = 0120777}}};
  CHECK(sync::parse_states(sync::format(states)) == states);
  CHECK(sync::parse_states(sync::format({})) == FileStates());
  for (const auto& text :
       {std::string(), std::string("x"), sync::format(states).substr(0, 20), sync::format(states) + "a"}) {
    CHECK_FALSE(sync::parse_states(text));
  }
}

TEST_CASE("removed files and changed permissions are listed") {
  const sync::FileStates pushed{{"a", file(1, 1)}, {"b", file(1, 1)}, {"c", file(1, 1)}, {"d", file(1, 1)}};
  // b is a folder now; bb is not below it.
  const sync::FileStates now{
      {"a", file(1, 1, program)}, {"b/x", file(1, 1)}, {"d", file(2, 9)}, {"new", file(1, 1, program)}};
  CHECK(sync::gone(pushed, now) == Paths{"c"});
  CHECK(sync::gone(pushed, {{"bb", file(1, 1)}}) == Paths{"a", "b", "c", "d"});
  CHECK(sync::hidden_from_rsync(pushed, now) == Paths{"a"});
}

TEST_CASE("changes that rsync would overlook are listed") {
  sync::FileStates pushed{{"alike", file(4, 5)},
                          {"cut off", file(4, -1)},
                          {"later", file(4, 5)},
                          {"longer", file(4, 5)},
                          {"unchanged", file(4, 5)}};
  sync::FileStates now = pushed;
  now["alike"].mtime_ns += 999'999'999;
  now["cut off"] = file(4, 7);
  now["later"].mtime_ns += 1'000'000'000;
  now["longer"].size = 5;
  CHECK(sync::hidden_from_rsync(pushed, now) == Paths{"alike", "cut off"});
}

TEST_CASE("a push that is cut off leaves no state behind that may be wrong") {
  const sync::FileStates pushed{{"same", file(1, 1)}, {"changed", file(1, 1)}, {"gone", file(1, 1)}};
  const sync::FileStates now{{"same", file(1, 1)}, {"changed", file(2, 2)}, {"new", file(1, 1)}};
  const sync::FileStates list = sync::in_flight(pushed, now);
  CHECK(list.at("same") == file(1, 1));
  CHECK(list.at("changed").mtime_ns == -1);
  CHECK(list.at("new").mtime_ns == -1);
  CHECK(list.count("gone") == 1);
  CHECK(sync::in_flight(std::nullopt, now).size() == 3);
}

TEST_CASE("a pull selects only files that changed on the cluster") {
  const sync::FileStates pushed{
      {"a", file(1, 1)}, {"b", file(1, 1)}, {"c", file(1, 1)}, {"d", file(1, 1)}, {"e", file(1, 1)}};
  sync::FileStates here = pushed;
  here["b"] = file(5, 5);  // edited here
  here["c"] = file(5, 5);  // edited here, and there
  here.erase("d");         // removed here
  here.erase("e");         // removed here, and edited there
  here["f"] = file(5, 5);  // new on both sides
  const std::vector<sync::Transfer> differing{there("a", 2, 9),       there("b", 1, 1),       there("c", 2, 9),
                                              there("d", 1, 1, true), there("e", 2, 9, true), there("f", 2, 9),
                                              there("g", 2, 9, true)};
  const auto choice = sync::choose_pull(differing, pushed, {here, {}}, false);
  CHECK(choice.wanted == Paths{"a", "g"});
  CHECK(choice.kept == Paths{"c", "e", "f"});
  const auto forced = sync::choose_pull(differing, pushed, {here, {}}, true);
  CHECK(forced.wanted == Paths{"a", "c", "e", "f", "g"});
  CHECK(forced.kept.empty());
  // Nobody knows what was pushed: nothing that is here is overwritten.
  CHECK(sync::choose_pull(differing, {}, {here, {}}, false).wanted == Paths{"d", "e", "g"});
}

TEST_CASE("a pull removes no file for a folder unless forced, and never a folder") {
  const sync::FileStates pushed{{"was a file", file(1, 1)}, {"sub/dir/file", file(1, 1)}};
  const std::vector<sync::Transfer> differing{there("was a file/new", 2, 9, true), there("folder here", 2, 9, true),
                                              there("sub/dir/other", 2, 9, true)};
  const sync::HereStates here{{{"was a file", file(1, 1)}}, {"folder here"}};
  const auto choice = sync::choose_pull(differing, pushed, here, false);
  CHECK(choice.wanted == Paths{"sub/dir/other"});
  CHECK(choice.kept == Paths{"was a file/new"});
  CHECK(choice.blocked == Paths{"folder here"});
  CHECK(sync::choose_pull(differing, pushed, here, true).wanted == Paths{"was a file/new", "sub/dir/other"});
}

TEST_CASE("a project's name on the cluster") {
  const std::string name = sync::project_name("/home/ann/my net", "laptop");
  CHECK(name.starts_with("my_net-"));
  CHECK(name.size() == std::string("my_net-").size() + 8);
  CHECK(name != sync::project_name("/home/ann/my net", "other"));
  CHECK(name != sync::project_name("/home/bob/my net", "laptop"));
  CHECK(sync::project_name("/a/.dot", "x").starts_with("_dot-"));
  CHECK(sync::project_name("/", "x").starts_with("root-"));
}

TEST_CASE("the nearest folder upwards with a .git or a .rvignore is the project") {
  std::string root = (std::filesystem::temp_directory_path() / "rv-project-XXXXXX").string();
  REQUIRE(::mkdtemp(root.data()) != nullptr);
  std::filesystem::create_directories(root + "/a/.git");
  std::filesystem::create_directories(root + "/a/b/c");
  CHECK_FALSE(sync::find_project(root));
  const auto project = sync::find_project(root + "/a/b/c");
  REQUIRE(project);
  CHECK(project->root == root + "/a");
  CHECK(project->folder == "b/c");
  CHECK(sync::find_project(root + "/a")->folder.empty());
  std::ofstream(root + "/a/b/.rvignore") << "";
  CHECK(sync::find_project(root + "/a/b/c")->root == root + "/a/b");
  const std::string home = std::getenv("HOME") == nullptr ? "" : std::getenv("HOME");
  ::setenv("HOME", (root + "/a").c_str(), 1);
  CHECK_FALSE(sync::find_project(root + "/a"));
  ::setenv("HOME", home.c_str(), 1);
  std::filesystem::remove_all(root);
}

TEST_CASE("an error travels from the login node as it is") {
  const Error error("no run is called \"x\n\"", "rv ps -a lists the runs", ExitCode::no_such_run);
  const auto back = sync::parse_failure(sync::failure_words(error));
  REQUIRE(back);
  CHECK(std::string(back->what()) == error.what());
  CHECK(back->advice() == error.advice());
  CHECK(back->code() == error.code());
  CHECK(sync::parse_failure(sync::failure_words({"stopped", "", ExitCode::interrupted}))->advice().empty());
  CHECK_FALSE(sync::parse_failure("folder /x"));
  for (const RsyncTarget place : {RsyncTarget::receive, RsyncTarget::look, RsyncTarget::output})
    CHECK(sync::target_of(sync::target_name(place)) == place);
  CHECK_THROWS_AS(sync::target_of("elsewhere"), Error);
}

}  // namespace rv::sync
