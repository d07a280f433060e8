#include "base/trust/private_folder.h"

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "base/error.h"
#include "base/trust/outside_access.h"
#include "tests/base/temporary_folder.h"

using namespace rv;

namespace {

constexpr uid_t somebody = 54321;

std::string refusal(const std::string& path) {
  try {
    trust::check_private_folder(path, "name another folder");
  } catch (const Error& error) {
    return error.what() + std::string("\n") + error.advice();
  }
  return {};
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::string made(const TemporaryFolder& folder, const std::string& name, mode_t mode) {
  const std::string path = folder / name;
  std::filesystem::create_directories(path);
  REQUIRE(::chmod(path.c_str(), mode) == 0);
  return path;
}

}  // namespace

TEST_CASE("a private group has the user's name and no other member") {
  CHECK(trust::is_private_group("ann:x:1000:", "ann"));
  CHECK(trust::is_private_group("ann:x:1000", "ann"));
  CHECK(trust::is_private_group("ann:x:1000:ann", "ann"));
  CHECK_FALSE(trust::is_private_group("ann:x:1000:ann,mallory", "ann"));
  CHECK_FALSE(trust::is_private_group("ann:x:1000:mallory", "ann"));
  CHECK_FALSE(trust::is_private_group("lab:x:1000:", "ann"));
  CHECK_FALSE(trust::is_private_group("", ""));
  CHECK_FALSE(trust::is_private_group(":::", ""));
}

TEST_CASE("a folder that only its user can change is accepted, and one that does not exist yet") {
  const TemporaryFolder folder;
  CHECK(refusal(made(folder, "own", 0700)).empty());
  CHECK(refusal(made(folder, "readable", 0755)).empty());
  CHECK(refusal(folder / "new/below").empty());
  CHECK(refusal(made(folder, "own", 0700) + "/").empty());
}

TEST_CASE("a folder that everyone can write to is refused, sticky or not") {
  const TemporaryFolder folder;
  for (const mode_t mode : {0777, 01777, 0702}) {
    const std::string path = made(folder, "open", mode);
    const std::string said = refusal(path);
    CHECK(has(said, path));
    CHECK(has(said, "everyone can write to it"));
    CHECK(has(said, "name another folder"));
    CHECK(has(said, "RV_TRUSTED_FOLDERS=" + path));
  }
}

TEST_CASE("a folder above that others can write to is refused unless it is sticky") {
  const TemporaryFolder folder;
  made(folder, "above/own", 0700);
  const std::string above = made(folder, "above", 0777);
  CHECK(has(refusal(above + "/own"), above + " above it is not sticky"));
  CHECK(has(refusal(above + "/not/there/yet"), "not sticky"));
  made(folder, "above", 01777);
  CHECK(refusal(above + "/own").empty());
}

TEST_CASE("folders of another user and of a group with others are refused") {
  if (::geteuid() != 0) return;  // only root can make them
  const TemporaryFolder folder;
  const std::string path = made(folder, "foreign", 0755);
  REQUIRE(::chown(path.c_str(), somebody, 0) == 0);
  CHECK(has(refusal(path), "it belongs to user 54321"));
  REQUIRE(::chown(path.c_str(), 0, somebody) == 0);
  CHECK(refusal(path).empty());
  REQUIRE(::chmod(path.c_str(), 0775) == 0);
  CHECK(has(refusal(path), "its group 54321 can write to it"));
  const std::string link = folder / "link";
  std::filesystem::create_symlink(made(folder, "own", 0700), link);
  CHECK(refusal(link).empty());
  REQUIRE(::lchown(link.c_str(), somebody, 0) == 0);
  CHECK(has(refusal(link), "it belongs to user 54321"));
}

TEST_CASE("the user can trust a folder") {
  const TemporaryFolder folder;
  const std::string path = made(folder, "open", 0777);
  ::setenv("RV_TRUSTED_FOLDERS", ("relative:" + path + "/").c_str(), 1);
  CHECK(refusal(path).empty());
  CHECK(refusal(path + "/below").empty());
  CHECK(has(refusal(made(folder, "opened", 0777)), "everyone"));
  ::unsetenv("RV_TRUSTED_FOLDERS");
}

TEST_CASE("a private folder is closed to other users and is not a link") {
  const TemporaryFolder folder;
  trust::make_closed_folder(folder / "closed");
  CHECK(std::filesystem::status(folder / "closed").permissions() == std::filesystem::perms::owner_all);
  trust::make_closed_folder(folder / "closed");
  CHECK_THROWS_AS(trust::make_closed_folder(made(folder, "readable", 0750)), Error);
  std::filesystem::create_symlink("closed", folder / "link");
  CHECK_THROWS_AS(trust::make_closed_folder(folder / "link"), Error);
  CHECK_THROWS_AS(trust::make_closed_folder(folder / "no/parent"), Error);
}
