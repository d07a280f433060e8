#include "cli/project/starting.h"

#include <doctest/doctest.h>

#include <map>

namespace rv::project {
namespace {

using Words = std::vector<std::string>;

ReadProperties files(std::map<std::string, FileProperties> known) {
  return [known = std::move(known)](const std::string& path) {
    const auto found = known.find(path);
    return found == known.end() ? FileProperties{} : found->second;
  };
}

const ReadProperties& project() {
  static const ReadProperties read = files({
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
      {"train.sbatch", {true, false, "#!/bin/bash -l\n# Train.\n#SBATCH --gres=gpu:4\npython t.py\n"}},
      {"./train.slurm", {true, true, "#!/bin/bash\n#SBATCH -N 1\n"}},
      {"bare.sbatch", {true, false, "#SBATCH -N 1\necho\n"}},
      {"./notes.txt", {true, false, "hello\n"}},
      {"./cross",
       {true, false,
        "\x7f"
        "ELF"}},
      {"./crlf", {true, true, "#!/bin/bash\r\necho\r\n"}},
      {"crlf.py", {true, false, "#!/usr/bin/env python3\r\n"}},
      {"/etc", {false, true, "", true}},
      {"src", {false, true, "", true}},
      {"./src", {false, true, "", true}},
      {"lmp.gpu", {true, false, "", false, true}},
  });
  return read;
}

Starting vector_of(const Words& argv) {
  return starting(argv, false, {}, project());
}
std::string fault_of(const Words& argv, bool line = false) {
  const auto made = line ? starting({"bash", "-c", argv.front()}, true, {}, project()) : vector_of(argv);
  if (!made.fault) return "";
  CHECK(made.fault->code() == ExitCode::usage);
  CHECK(!made.fault->advice().empty());
  return made.fault->what();
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
  CHECK(vector_of({"train.py"}).why == "train.py is not executable; rv starts .py files with python3");
}

TEST_CASE("an executable Python file without a #! line is not given to a shell") {
  CHECK(vector_of({"bare.py"}).argv == Words{"python3", "bare.py"});
  CHECK(vector_of({"bare.py"}).why == "bare.py has no #! line; rv starts .py files with python3");
}

TEST_CASE("an executable program is unchanged") {
  CHECK(vector_of({"own.py"}).argv == Words{"./own.py"});
  for (const Words& as_typed : std::vector<Words>{
           {"tool"}, {"./prog", "x"}, {"torchrun", "train.py"}, {"python", "-m", "pkg"}, {"missing.py"}, {"train"}}) {
    CHECK(vector_of(as_typed).argv == as_typed);
    CHECK(vector_of(as_typed).why.empty());
  }
}

TEST_CASE("a path without an executable bit is started by its #! line") {
  CHECK(vector_of({"bin/tool", "x"}).argv == Words{"/usr/bin/env", "perl", "bin/tool", "x"});
}

TEST_CASE("the first word of a shell line is treated like a command, and the rest is unchanged") {
  CHECK(line_of("train.py --lr 1 && echo 'done  well'") == "python3 train.py --lr 1 && echo 'done  well'");
  CHECK(line_of("own.py|tee x") == "./own.py|tee x");
  CHECK(line_of("  train.py;x") == "  python3 train.py;x");
  CHECK(line_of("X=1 Y=2  train.py --lr X=1 && y") == "X=1 Y=2  python3 train.py --lr X=1 && y");
  CHECK(line_of("train.sbatch --x | y") == "/bin/bash -l train.sbatch --x | y");
  for (const char* as_typed : {"torchrun --nproc_per_node=4 train.py", "cd sub && train.py", "X=1", "train.py$X",
                               "\"train.py\"", "for i in 1 2; do train.py; done", "", "# x"}) {
    CHECK(line_of(as_typed) == as_typed);
  }
}

TEST_CASE("the user's interpreter comes before the command") {
  CHECK(starting({"own.py", "x"}, false, {"python3.9", "-X", "dev"}, project()).argv ==
        Words{"python3.9", "-X", "dev", "own.py", "x"});
  CHECK(starting({"bash", "-c", "train.py && x"}, true, {"a b"}, project()).argv.back() == "'a b' train.py && x");
  CHECK(starting({}, false, {"python3"}, project()).argv.empty());
}

TEST_CASE("a script with a #! line runs by it, and a note says that its #SBATCH lines are ignored") {
  const auto made = vector_of({"train.sbatch", "x"});
  CHECK(made.argv == Words{"/bin/bash", "-l", "train.sbatch", "x"});
  CHECK(made.notes == Words{"the #SBATCH lines of train.sbatch are ignored: use rv's own options, see rv run --help"});
  CHECK(vector_of({"./train.slurm"}).argv == Words{"./train.slurm"});
  CHECK(vector_of({"./train.slurm"}).notes.size() == 1);
  CHECK(vector_of({"bash", "train.sbatch"}).notes.size() == 1);
  CHECK(vector_of({"python3", "gen.py", "train.sbatch"}).notes.empty());
  CHECK(vector_of({"train.sh"}).notes.empty());
}

TEST_CASE("variables before the program are set for it") {
  CHECK(vector_of({"CUDA_VISIBLE_DEVICES=0", "python3", "t.py"}).argv ==
        Words{"env", "CUDA_VISIBLE_DEVICES=0", "python3", "t.py"});
  CHECK(vector_of({"A=x y", "B_2=", "train.py", "C=3"}).argv ==
        Words{"env", "A=x y", "B_2=", "python3", "train.py", "C=3"});
  CHECK(vector_of({"A=1", "tool"}).why == "the arguments before the program are variables");
  CHECK(starting({"A=1", "train.py"}, false, {"python3.9"}, project()).argv ==
        Words{"env", "A=1", "python3.9", "train.py"});
  CHECK(starting({"bash", "-c", "A=1 train.py && x"}, true, {"python3.9"}, project()).argv.back() ==
        "A=1 python3.9 train.py && x");
  for (const Words& none : std::vector<Words>{{"2=1", "x"}, {"=1", "x"}, {"--a=1", "x"}, {"a-b=1", "x"}}) {
    CHECK(vector_of(none).argv == none);
  }
  CHECK(fault_of({"A=1"}) == "the command sets variables and starts no program");
  CHECK(fault_of({"A=1 B=2"}, true) == "the command sets variables and starts no program");
  CHECK(fault_of({"A=1; echo $A"}, true).empty());
}

TEST_CASE("a command that can't start is an error, unless it may exist only on the nodes") {
  CHECK(fault_of({"/etc"}) == "/etc is a folder");
  CHECK(fault_of({"./src", "x"}) == "./src is a folder");
  CHECK(fault_of({"bare.sbatch"}) == "bare.sbatch is not executable and has no #! line");
  CHECK(fault_of({"./notes.txt"}, true).starts_with("./notes.txt is not executable and has no #! line"));
  CHECK(fault_of({"./cross"}) == "./cross is a program that is not executable");
  CHECK(fault_of({"./crlf"}).starts_with("./crlf has Windows line ends"));
  CHECK(fault_of({"build/sim"}) == "build/sim does not exist");
  CHECK(fault_of({"A=1", "build/sim"}) == "build/sim does not exist");
  for (const Words& possible : std::vector<Words>{{"crlf.py"},
                                                  {"src"},
                                                  {"nowhere"},
                                                  {"/opt/site/bin/sim"},
                                                  {"lmp.gpu", "-in", "x"},
                                                  {"deepspeed", "train.py"}}) {
    CHECK(fault_of(possible).empty());
  }
  CHECK(fault_of({"cd build && ./sim"}, true).empty());
}

TEST_CASE("after -- rv adds nothing, and a command that can't be executed is an error") {
  const auto fault = [](const Words& argv) {
    const auto made = starting_as_typed(argv, project());
    CHECK(made.argv == argv);
    return made.fault ? std::string(made.fault->what()) : "";
  };
  CHECK(fault({"/etc"}) == "/etc is a folder");
  CHECK(fault({"bin/tool"}) == "bin/tool is not executable, and after -- rv adds no interpreter");
  CHECK(fault({"A=1", "x"}) == "A=1 is a variable, but after -- the first argument is the program");
  CHECK(fault({"train.py"}).empty());
  CHECK(fault({"build/sim"}).empty());
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
