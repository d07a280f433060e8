#include "cli/options/user_command.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "tests/cli/fixture_app.h"

namespace rv::cli {

namespace {
using Words = std::vector<std::string>;
}

TEST_CASE("the user's command begins at the first argument that is not an option") {
  const TestApp test;
  const auto line = test.split({"run", "python", "-c", "x", "--lr", "1", "--", "-v"});
  CHECK_FALSE(line.fault);
  CHECK(line.words == Words{"run"});
  CHECK(line.user_command == Words{"python", "-c", "x", "--lr", "1", "--", "-v"});
  CHECK(line.command->get_name() == "run");
}

// Why a command line is split before the option parser sees it, measured at CLI11's own form of a prefix command. When
// this fails, the parser keeps such words, and may be enough.
TEST_CASE("the option parser by itself would change the user's arguments") {
  const auto parsed = [](Words words) {
    CLI::App app;
    Words command;
    app.add_option("command", command);
    app.positionals_at_end();
    std::reverse(words.begin(), words.end());
    app.parse(std::move(words));
    return command;
  };
  CHECK(parsed({"x", "-v", "--", "y", "", "$(id)"}) == Words{"x", "-v", "--", "y", "", "$(id)"});
  CHECK(parsed({"x", "[a,b]"}) == Words{"x", "a", "b"});
  CHECK(parsed({"--", "x"}) == parsed({"x"}));
}

TEST_CASE("the user's arguments arrive unchanged") {
  const TestApp test;
  const Words hostile{"prog", "", "[a,b]", "--gpu=", "--", "\n", "\xff\xfe", "%", "'", "--json", "-g", "\"x y\""};
  Words typed{"exec"};
  typed.insert(typed.end(), hostile.begin(), hostile.end());
  CHECK(test.split(typed).user_command == hostile);
  typed.insert(typed.begin() + 1, "--");
  CHECK(test.split(typed).user_command == hostile);
  CHECK_FALSE(test.split(typed).json);
}

TEST_CASE("after -- an argument that looks like an option belongs to the user's command") {
  const TestApp test;
  CHECK(test.split({"run", "-g", "2", "--", "--gpu", "4"}).user_command == Words{"--gpu", "4"});
  CHECK(test.split({"run", "--", "--", "x"}).user_command == Words{"--", "x"});
  CHECK(test.split({"run", "--", ""}).user_command == Words{""});
}

TEST_CASE("an option's value is not parsed as the command") {
  const TestApp test;
  for (const Words& option : std::vector<Words>{{"-g", "2"}, {"-g2"}, {"--gpu", "2"}, {"--gpu=2"}, {"--gpus", "2"}}) {
    Words typed{"run"};
    typed.insert(typed.end(), option.begin(), option.end());
    typed.insert(typed.end(), {"hostname", "-g", "9"});
    const auto line = test.split(typed);
    CHECK_FALSE(line.fault);
    CHECK(line.user_command == Words{"hostname", "-g", "9"});
  }
  CHECK(test.split({"run", "-fg", "2", "x"}).user_command == Words{"x"});
  CHECK(test.split({"run", "--name=-x", "x"}).words == Words{"run", "--name", "-x"});
  CHECK(test.split({"run", "-t", "a40", "-t", "h100", "x"}).user_command == Words{"x"});
}

TEST_CASE("--json and -v may come before or after the command's name, before the user's command") {
  const TestApp test;
  CHECK(test.split({"--json", "run", "x"}).json);
  CHECK(test.split({"run", "--json", "x"}).json);
  CHECK(test.split({"run", "-vg1", "--json", "x"}).json);
  CHECK_FALSE(test.split({"run", "x", "--json"}).json);
  CHECK(test.split({"upp", "--json"}).json);
  CHECK(test.split({"up", "--nonsense", "--json"}).json);
}

TEST_CASE("an error quotes the wrong argument and the nearest valid one") {
  const TestApp test;
  const auto fault = [&](const Words& words) {
    const auto line = test.split(words);
    REQUIRE(line.fault);
    CHECK(line.fault->code() == ExitCode::usage);
    return std::string(line.fault->what());
  };
  CHECK(fault({"upp"}) == "unknown command \"upp\"; did you mean \"up\"?");
  CHECK(fault({"plan", "--gpuz", "4"}) == "unknown option \"--gpuz\" for rv plan; did you mean \"--gpu\"?");
  CHECK(fault({"plan", "-Z"}) == "unknown option \"-Z\" for rv plan");
  CHECK(fault({"--jsno", "plan"}) == "unknown option \"--jsno\"; did you mean \"--json\"?");
  CHECK(fault({"--gpu", "4", "plan"}) == "--gpu stands before the command");
  CHECK(fault({"plan", "--gpu"}) == "--gpu needs a value");
  CHECK(fault({"plan", "--gpu="}) == "--gpu \"\": expected a value");
  CHECK(fault({"plan", "--account", ""}) == "--account \"\": expected a value");
  CHECK(fault({"plan", "--mig=no"}) == "--mig takes no value");
  CHECK(fault({"plan", "-g", "1", "--gpus", "2"}) == "--gpus is given twice");
  CHECK(fault({"exec"}) == "rv exec needs a command to run");
  CHECK(fault({"exec", "--timeout", "3s"}) == "rv exec needs a command to run");
  CHECK_FALSE(test.split({"render"}).fault);
}

TEST_CASE("a time in two words is an error that shows one") {
  const TestApp test;
  const auto line = test.split({"run", "--time", "2", "hours", "python3", "t.py"});
  REQUIRE(line.fault);
  CHECK(std::string(line.fault->what()) == "--time 2 hours: a time is one argument");
  CHECK(line.fault->advice() == "write --time 2h");
  CHECK_FALSE(test.split({"run", "--time", "2", "--", "hours"}).fault);
  CHECK_FALSE(test.split({"run", "--time", "2", "hours.sh"}).fault);
  CHECK_FALSE(test.split({"run", "hours"}).fault);
}

TEST_CASE("an rv option behind the user's command is noted, and still the user's") {
  const TestApp test;
  auto line = test.split({"run", "check", "--mig"});
  CHECK(line.user_command == Words{"check", "--mig"});
  CHECK(line.notes == Words{"note: --mig after check is passed to your command; to give it to rv: rv run --mig check"});
  CHECK(test.split({"run", "x", "-g", "4"}).notes ==
        Words{"note: -g after x is passed to your command; to give it to rv: rv run -g 4 x"});
  // What can be pasted runs the same command: each word of it is there, and quoted where a shell needs it.
  CHECK(test.split({"run", "x", "a b", "-g", "4", "$y", "z"}).notes ==
        Words{"note: -g after x is passed to your command; to give it to rv: rv run -g 4 x 'a b' '$y' z"});
  // Not exactly an option, every program's option, behind the user's own --, another command's option.
  for (const Words& rest :
       std::vector<Words>{{"--migs"}, {"--mig=1"}, {"-v"}, {"-a", "1"}, {"--help"}, {"--", "--mig"}, {"mig"}}) {
    Words typed{"run", "x"};
    typed.insert(typed.end(), rest.begin(), rest.end());
    CHECK(test.split(typed).notes.empty());
  }
  CHECK(test.split({"exec", "x", "--mig"}).notes.empty());
}

TEST_CASE("a script may stand before rv's options, if they ask for GPUs and nothing else follows") {
  const TestApp test;
  auto line = test.split({"run", "check.py", "--mig", "--time", "10m"});
  CHECK_FALSE(line.fault);
  CHECK(line.user_command == Words{"check.py"});
  CHECK(line.words == Words{"run", "--mig", "--time", "10m"});
  CHECK(line.notes == Words{"note: rv uses --mig --time 10m after check.py; to pass it to check.py, "
                            "write -- before it"});
  CHECK(test.split({"run", "check.py", "--mig"}).notes ==
        Words{"note: rv uses --mig after check.py; to pass it to check.py, write -- before it"});
  CHECK(test.split({"run", "serve.sh", "-g", "1", "--time=30m"}).user_command == Words{"serve.sh"});
  // The script's own: no word of time or MIG, anything that is not rv's, behind --, more than a script.
  for (const Words& typed : std::vector<Words>{{"run", "check.py", "-g", "4"},
                                               {"run", "check.py", "--time", "10m", "x"},
                                               {"run", "check.py", "--time", "10m", "--lr", "1"},
                                               {"run", "--", "check.py", "--time", "10m"},
                                               {"run", "check.py", "--", "--time", "10m"},
                                               {"run", "python", "check.py", "--time", "10m"}}) {
    line = test.split(typed);
    CHECK_FALSE(line.fault);
    CHECK(line.words == Words{"run"});
    CHECK(line.user_command.size() >= 2);
  }
}

TEST_CASE("a shell command as one argument may come before rv's options if no other argument follows") {
  const TestApp test;
  auto line = test.split({"run", "torchrun --n=4 train.py", "-g", "4", "--time=10m", "--json"});
  CHECK_FALSE(line.fault);
  CHECK(line.user_command == Words{"torchrun --n=4 train.py"});
  CHECK(line.words == Words{"run", "-g", "4", "--time", "10m", "--json"});
  CHECK(line.json);
  CHECK(line.notes == Words{"note: rv uses -g 4 --time=10m --json after the shell command"});
  CHECK(test.split({"run", "a b", "-f"}).notes == Words{"note: rv uses -f after the shell command"});
  // A value that is missing is rv's to complain of.
  line = test.split({"run", "a b", "-g"});
  REQUIRE(line.fault);
  CHECK(std::string(line.fault->what()) == "-g needs a value");
  line = test.split({"run", "-g", "1", "a b", "-g", "2"});
  REQUIRE(line.fault);
  CHECK(std::string(line.fault->what()) == "-g is given twice");
  // Anything else that follows, an argument vector, and what stands behind "--" stay the command's.
  for (const Words& typed : std::vector<Words>{{"run", "a b", "-g", "4", "x"},
                                               {"run", "a b", "--", "-g", "4"},
                                               {"run", "a b", "--nonsense"},
                                               {"run", "a b", "-"},
                                               {"run", "ab", "-g", "4"},
                                               {"run", "--", "a b", "-g", "4"}}) {
    const auto split = test.split(typed);
    CHECK_FALSE(split.fault);
    CHECK(split.words == Words{"run"});
    const auto begin = typed[1] == "--" ? typed.begin() + 2 : typed.begin() + 1;
    CHECK(split.user_command == Words(begin, typed.end()));
  }
  CHECK(test.split({"run", "--", "x"}).as_typed);
  CHECK_FALSE(test.split({"run", "x", "--", "y"}).as_typed);
}

TEST_CASE("a single argument with shell syntax is a shell command, several are an argument vector") {
  CHECK(command_argv({"hostname"}) == Words{"hostname"});
  CHECK(command_argv({"echo a && echo b"}) == Words{"bash", "-c", "echo a && echo b"});
  CHECK(command_argv({"$HOME/x"}) == Words{"bash", "-c", "$HOME/x"});
  CHECK(command_argv({"echo", "a && b"}) == Words{"echo", "a && b"});
  CHECK(command_argv({}).empty());
}

}  // namespace rv::cli
