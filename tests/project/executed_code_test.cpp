#include "cli/project/executed_code.h"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <map>

#include "base/trust/regular_file.h"
#include "cli/project/prepare/trusted_code.h"
#include "tests/base/temporary_folder.h"

using namespace rv;
using namespace rv::project;
using Lines = std::vector<std::string>;

namespace {

Lines code_of(const EnvironmentChoice& choice, const std::vector<LocalPackage>& local = {},
              const std::map<std::string, std::string>& files = {}) {
  return executed_code(choice, local, [&](const std::string& path) -> std::optional<std::string> {
    const auto found = files.find(path);
    return found == files.end() ? std::nullopt : std::optional(found->second);
  });
}

}  // namespace

TEST_CASE("a project executes its set-up lines, an interpreter by its path and its build scripts") {
  EnvironmentChoice choice;
  choice.python = "python3.11";
  CHECK(code_of(choice, {{".", {}}}, {{"pyproject.toml", "[build-system]\nrequires = ['hatchling']\n"}}).empty());
  choice.python = "./bin/python";
  choice.setup = {"module load x", "a && b"};
  CHECK(code_of(choice) == Lines{"setup: module load x", "setup: a && b", "python: ./bin/python"});
  const auto first = code_of({}, {{".", {}}, {"lib", {}}}, {{"setup.py", "1"}, {"lib/hatch_build.py", "x"}});
  REQUIRE(first.size() == 2);
  CHECK(first[0].starts_with("setup.py (SHA-256 "));
  CHECK(first[1].starts_with("lib/hatch_build.py (SHA-256 "));
  CHECK(first[0] != code_of({}, {{".", {}}}, {{"setup.py", "2"}})[0]);
  CHECK(code_of({}, {{".", {}}}, {{"pyproject.toml", "backend-path = ['.']\n"}}).size() == 1);
}

TEST_CASE("an answer counts for exactly the lines that it was given for") {
  const TemporaryFolder home;
  CHECK(is_trusted_code(home.path(), {}));
  CHECK_FALSE(is_trusted_code(home.path(), {"setup: a"}));
  trust_code(home.path(), {"setup: a"});
  CHECK(is_trusted_code(home.path(), {"setup: a"}));
  for (const Lines& other : {Lines{"setup: b"}, Lines{"setup: a", "setup: a"}, Lines{"setup: a\n8 setup: a"}}) {
    CHECK_FALSE(is_trusted_code(home.path(), other));
  }
  trust_code(home.path(), {"setup: a", "setup: b"});
  CHECK_FALSE(is_trusted_code(home.path(), {"setup: b", "setup: a"}));
  for (const auto& entry : std::filesystem::directory_iterator(home / "trusted")) {
    CHECK((entry.status().permissions() & std::filesystem::perms::mask) ==
          (std::filesystem::perms::owner_read | std::filesystem::perms::owner_write));
  }
}
