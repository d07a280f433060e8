#include "project/starting.h"

#include <doctest/doctest.h>

#include <map>

namespace rv::project {
namespace {

using Words = std::vector<std::string>;

LookAt files(std::map<std::string, FileLook> known) {
  return [known = std::move(known)](const std::string& path) {
    const auto found = known.find(path);
    return found == known.end() ? FileLook{} : found->second;
  };
}

const LookAt& project() {
  static const LookAt look = files({
      {"train.py", {true, false, "import torch\n"}},
      {"bare.py", {true, true, "import torch\n"}},
      {"own.py", {true, true, "#!/usr/bin/env python3\n"}},
      {"fit.R", {true, false, "x <- 1\n"}},
      {"sim.jl", {true, false, "using CUDA\n"}},
      {"train.sh", {true, false, "echo\n"}},
      {"tool", {true, true, "#!/bin/sh\n"}},
      {"bin/tool", {true, false, "#!/usr/bin/env perl\nprint\n"}},
      {"./prog",
       {true, true,
        std::string("\x7f"
                    "ELF\x02")}},
      {"a b.py", {true, false, ""}},
  });
  return look;
}

Starting vector_of(const Words& argv) {
  return starting(argv, false, {}, project());
}
std::string line_of(const std::string& line) {
  return starting({"bash", "-c", line}, true, {}, project()).argv.back();
}

}  // namespace

TEST_CASE("a script that can't start by itself gets the program of its ending") {
  CHECK(vector_of({"train.py", "--lr", "1"}).argv == Words{"python3", "train.py", "--lr", "1"});
  CHECK(vector_of({"fit.R"}).argv == Words{"Rscript", "fit.R"});
  CHECK(vector_of({"sim.jl"}).argv == Words{"julia", "sim.jl"});
  CHECK(vector_of({"train.sh"}).argv == Words{"bash", "train.sh"});
  CHECK(vector_of({"train.py"}).why == "train.py is not executable, and its name ends as python3's do");
}

TEST_CASE("an executable Python file without a #! line is not given to a shell") {
  CHECK(vector_of({"bare.py"}).argv == Words{"python3", "bare.py"});
  CHECK(vector_of({"bare.py"}).why == "bare.py has no #! line, and its name ends as python3's do");
}

TEST_CASE("what starts by itself stays as it is") {
  CHECK(vector_of({"own.py"}).argv == Words{"./own.py"});
  for (const Words& as_typed : std::vector<Words>{
           {"tool"}, {"./prog", "x"}, {"torchrun", "train.py"}, {"python", "-m", "pkg"}, {"missing.py"}, {"train"}}) {
    CHECK(vector_of(as_typed).argv == as_typed);
    CHECK(vector_of(as_typed).why.empty());
  }
}

TEST_CASE("a path that has lost its executable bit is started as its #! line says") {
  CHECK(vector_of({"bin/tool", "x"}).argv == Words{"/usr/bin/env", "perl", "bin/tool", "x"});
}

TEST_CASE("the first word of a shell line is judged like a command, the rest stays byte for byte") {
  CHECK(line_of("train.py --lr 1 && echo 'done  well'") == "python3 train.py --lr 1 && echo 'done  well'");
  CHECK(line_of("own.py|tee x") == "./own.py|tee x");
  CHECK(line_of("  train.py;x") == "  python3 train.py;x");
  for (const char* as_typed : {"torchrun --nproc_per_node=4 train.py", "cd sub && train.py", "X=1 train.py",
                               "train.py$X", "\"train.py\"", "for i in 1 2; do train.py; done", "", "# x"}) {
    CHECK(line_of(as_typed) == as_typed);
  }
}

TEST_CASE("the user's own interpreter comes before whatever was typed") {
  CHECK(starting({"own.py", "x"}, false, {"python3.9", "-X", "dev"}, project()).argv ==
        Words{"python3.9", "-X", "dev", "own.py", "x"});
  CHECK(starting({"bash", "-c", "train.py && x"}, true, {"a b"}, project()).argv.back() == "'a b' train.py && x");
  CHECK(starting({}, false, {"python3"}, project()).argv.empty());
}

TEST_CASE("the words of a shell line end where syntax other than blanks begins") {
  bool whole = true;
  CHECK(plain_words("torchrun --n=4  train.py", &whole) == Words{"torchrun", "--n=4", "train.py"});
  CHECK(whole);
  CHECK(plain_words("python a.py&& python b.py", &whole) == Words{"python", "a.py"});
  CHECK_FALSE(whole);
  CHECK(plain_words("python a$X.py") == Words{"python"});
  CHECK(plain_words("$X a.py").empty());
  CHECK(words_of_command({"torchrun train.py"}, project()) == Words{"torchrun", "train.py"});
  CHECK(words_of_command({"a b.py"}, project()) == Words{"a b.py"});
  CHECK(words_of_command({"x y", "z"}, project()) == Words{"x y", "z"});
}

}  // namespace rv::project
