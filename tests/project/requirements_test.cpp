#include "cli/project/requirements.h"

#include <doctest/doctest.h>

#include <map>

#include "base/error.h"

namespace rv::project {
namespace {

ReadFile files(std::map<std::string, std::string> known) {
  return [known = std::move(known)](const std::string& path) -> std::optional<std::string> {
    const auto found = known.find(path);
    if (found == known.end()) return std::nullopt;
    return found->second;
  };
}

std::string fault(const std::vector<std::string>& names, const ReadFile& read) {
  try {
    read_requirements(names, read);
  } catch (const Error& error) {
    CHECK(error.code() == ExitCode::usage);
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("included files are expanded in place, and paths are relative to the project") {
  const auto read =
      files({{"requirements.txt", "# all\n-r base/common.txt\nnumpy==2.1  # arrays\n--no-index\n"},
             {"base/limits.txt", "numpy<3\n"},
             {"base/common.txt", "-c limits.txt\n--find-links wheels\ntorch>=2\n./own-1-py3-none-any.whl\n"}});
  const auto found = read_requirements({"requirements.txt"}, read);
  CHECK(found.text("") ==
        "-c base/limits.txt\n--find-links base/wheels\ntorch>=2\nbase/own-1-py3-none-any.whl\n"
        "numpy==2.1\n--no-index\n");
  CHECK(found.text("/p") ==
        "-c /p/base/limits.txt\n--find-links /p/base/wheels\ntorch>=2\n/p/base/own-1-py3-none-any.whl\n"
        "numpy==2.1\n--no-index\n");
  CHECK(found.constraints == std::vector<std::string>{"base/limits.txt"});
  CHECK(found.wheels == std::vector<std::string>{"base/own-1-py3-none-any.whl"});
  CHECK(found.local.empty());
  CHECK_FALSE(found.empty());
}

TEST_CASE("the project's own folders are imported from where they are") {
  const auto found = read_requirements(
      {"sub/requirements.txt"},
      files({{"sub/requirements.txt", "-e .\n--editable=../lib[train,eval]\n./tool/\n-e git+https://x/y\n"}}));
  REQUIRE(found.local.size() == 3);
  CHECK(found.local[0].folder == "sub");
  CHECK(found.local[1].folder == "sub/../lib");
  CHECK(found.local[1].extras == std::vector<std::string>{"train", "eval"});
  CHECK(found.local[2].folder == "sub/tool");
  CHECK(found.text("/p") == "-e git+https://x/y\n");
}

TEST_CASE("lines that continue are one, addresses and hashes stay") {
  const std::string text =
      "a==1 \\\n    --hash=sha256:00 \\\n    --hash=sha256:01\n-r https://x/r.txt\n-c https://x/c.txt\n-f "
      "https://x/\n-i https://x --extra-index-url https://y\n--pre\n";
  const auto found = read_requirements({"r.txt"}, files({{"r.txt", text}}));
  CHECK(found.text("/p") ==
        "a==1     --hash=sha256:00     --hash=sha256:01\n-r https://x/r.txt\n-c https://x/c.txt\n-f https://x/\n-i "
        "https://x --extra-index-url https://y\n--pre\n");
  CHECK(found.addresses == std::vector<std::string>{"https://x/r.txt", "https://x/c.txt"});
}

TEST_CASE("a file with only options installs nothing") {
  CHECK(read_requirements({"r.txt"}, files({{"r.txt", "# none\n--no-index\n-f wheels\n"}})).empty());
  CHECK(read_requirements({"r.txt"}, files({{"r.txt", "\n"}})).empty());
  CHECK_FALSE(read_requirements({"r.txt"}, files({{"r.txt", "./x.whl\n"}})).empty());
}

TEST_CASE("a file that is included again is read once, so that two includes a level end") {
  std::map<std::string, std::string> levels;
  for (int level = 0; level < 40; ++level) {
    const std::string next = "-r r" + std::to_string(level + 1) + ".txt\n";
    levels["r" + std::to_string(level) + ".txt"] = next + next + "a" + std::to_string(level) + "\n";
  }
  levels["r40.txt"] = "last\n";
  const auto text = read_requirements({"r0.txt"}, files(levels)).text("");
  CHECK(text.starts_with("last\na39\n"));
  CHECK(text.size() < 400);
  for (int level = 0; level < 300; ++level) {
    levels["r" + std::to_string(level) + ".txt"] = "-r r" + std::to_string(level + 1) + ".txt\n";
  }
  CHECK(fault({"r0.txt"}, files(levels)).find("more than 200 requirements files") != std::string::npos);
}

TEST_CASE("a file that is not there, and one that includes itself, are named with their line") {
  CHECK(fault({"r.txt"}, files({{"r.txt", "a\n-r base.txt\n"}})) == "r.txt:2: base.txt does not exist");
  CHECK(fault({"r.txt"}, files({{"r.txt", "-r s.txt\n"}, {"s.txt", "-rr.txt\n"}})) == "s.txt:1: r.txt includes itself");
}

}  // namespace rv::project
