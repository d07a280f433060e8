#include "cli/setup/user_secrets.h"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>

#include "base/error.h"

namespace rv::cli {

TEST_CASE("a .env file is read as people write it") {
  const auto values = parse_env_file(
      "# mine\n\nA=1\nexport B = two words # and a comment\nC=\"x # y\\n\\\"z\\\" \\$HOME\"  # c\nD='it \"is\" \\n'\n"
      "E=\nF=a#b\r\nG='two\nlines'\nexport=5\nH=last",
      ".env");
  const NamedValues expected{{"A", "1"},   {"B", "two words"}, {"C", "x # y\n\"z\" $HOME"}, {"D", "it \"is\" \\n"},
                             {"E", ""},    {"F", "a#b"},       {"G", "two\nlines"},         {"export", "5"},
                             {"H", "last"}};
  CHECK(values == expected);
}

TEST_CASE("a fault in it is reported by its line and never by the value") {
  for (const auto& [text, line] : {std::pair{"A=1\nsecret\n", ".env:2"},
                                   {"A='secret\n\n", ".env:1"},
                                   {"A=1\n\nB=\"x\nsecret\" secret", ".env:4"},
                                   {"=secret", ".env:1"}}) {
    try {
      parse_env_file(text, ".env");
      FAIL("no error");
    } catch (const Error& error) {
      const std::string said = std::string(error.what()) + error.advice();
      CHECK(said.starts_with(line));
      CHECK(said.find("secret") == std::string::npos);
    }
  }
}

TEST_CASE("values travel between machines byte for byte") {
  NamedValues values;
  std::string all;
  for (int c = 1; c < 256; ++c) all += static_cast<char>(c);
  values.emplace_back("ALL", all);
  values.emplace_back("TAIL", "ends with a backslash\\");
  values.emplace_back("DOLLAR", "$(id) `id` \\n \"");
  CHECK(parse_env_file(to_env_file(values), "stdin") == values);
}

TEST_CASE("a variable that can't be passed to a job is rejected without its value in the message") {
  for (const std::string name : {"", "1A", "A-B", "a b", "PATH", "SLURM_JOB_ID", "RV_HOME", "rv_node", "BASH_ENV",
                                 "RANDOM", "TMOUT", "GLOBIGNORE"}) {
    CHECK_THROWS_AS(check_user_secret(name, "x"), Error);
  }
  CHECK_NOTHROW(check_user_secret("A", ""));  // a variable may be empty
  CHECK_THROWS_AS(check_user_secret("A", std::string(100'001, 'x')), Error);
  CHECK_THROWS_AS(check_user_secret("A", std::string("a\0b", 3)), Error);
  CHECK_NOTHROW(check_user_secret("WANDB_API_KEY", "x"));
}

TEST_CASE("the store is readable only by its owner, and every value in the sourced file is quoted") {
  char folder[] = "/tmp/rv-own-XXXXXX";
  REQUIRE(::mkdtemp(folder) != nullptr);
  const std::string home = folder;
  CHECK(user_secrets_script(home).empty());
  set_user_secret(home, "B", "it's $HOME\n");
  set_user_secret(home, "A", "1");
  struct stat status {};
  REQUIRE(::stat((home + "/env/B").c_str(), &status) == 0);
  CHECK((status.st_mode & 07777) == 0600);
  REQUIRE(::stat((home + "/env").c_str(), &status) == 0);
  CHECK((status.st_mode & 07777) == 0700);
  CHECK(user_secrets_script(home) == "rv_own_names=(A B)\nexport A=1\nexport B='it'\\''s $HOME\n'\n");
  REQUIRE(user_secrets(home).size() == 2);
  CHECK(user_secrets(home)[1].bytes == 11);
  CHECK(remove_user_secret(home, "B"));
  CHECK_FALSE(remove_user_secret(home, "B"));
  CHECK_FALSE(remove_user_secret(home, "../env/A"));
  CHECK(user_secrets(home).size() == 1);
  std::filesystem::remove_all(home);
}

}  // namespace rv::cli
