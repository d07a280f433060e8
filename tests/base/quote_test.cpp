#include "base/quote.h"

#include <doctest/doctest.h>

#include <array>
#include <cstdio>
#include <random>

#include "base/error.h"

using rv::quote;
using rv::quote_all;
using rv::quote_for_sbatch;

namespace {

// What `shell` reads back from a quoted word.
std::string read_back(const std::string& shell, const std::string& word) {
  const std::string command = shell + " -c " + quote("printf %s " + word);
  std::string out;
  std::FILE* pipe = ::popen(command.c_str(), "r");
  REQUIRE(pipe != nullptr);
  std::array<char, 4096> buffer{};
  for (std::size_t count = 0; (count = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) {
    out.append(buffer.data(), count);
  }
  REQUIRE(::pclose(pipe) == 0);
  return out;
}

}  // namespace

TEST_CASE("plain words stay readable") {
  CHECK(quote("train.py") == "train.py");
  CHECK(quote("--lr=0.1") == "--lr=0.1");
  CHECK(quote("") == "''");
}

TEST_CASE("shells read quoted text back unchanged") {
  std::mt19937 random(7);
  std::uniform_int_distribution<int> length(0, 40);
  std::uniform_int_distribution<int> byte(1, 255);
  for (int i = 0; i < 60; ++i) {
    std::string value;
    for (int n = length(random); n > 0; --n) value += static_cast<char>(byte(random));
    CHECK(read_back("bash", quote(value)) == value);
    CHECK(read_back("sh", quote(value)) == value);
  }
  for (const std::string value : {"a\nb", "$(id)", "`id`", "a'b\"c", "*", "~", "-n", "\\", "a\\'b", "!x", "ä €"}) {
    CHECK(read_back("bash", quote(value)) == value);
  }
}

TEST_CASE("several words stay several") {
  const std::array<std::string, 3> words{"a b", "", "c"};
  CHECK(quote_all(words) == "'a b' '' c");
}

TEST_CASE("an option of an #SBATCH line") {
  CHECK(quote_for_sbatch("gpu:a100:4") == "gpu:a100:4");
  CHECK(quote_for_sbatch("a100|h100") == "\"a100|h100\"");
  CHECK(quote_for_sbatch("a \"b\" \\c") == "\"a \\\"b\\\" \\\\c\"");
  CHECK_THROWS_AS(quote_for_sbatch("a\nb"), rv::Error);
}
