#include "cli/views/help.h"

#include <doctest/doctest.h>

#include <CLI/CLI.hpp>
#include <array>

using namespace rv::cli;

namespace {

struct Fixture {
  CLI::App app{"what rv is", "rv"};
  CLI::App* run = app.add_subcommand("run", "Run a command");
  std::string text;

  Fixture() {
    run->add_option("-n,--name", text, "name of the run")->type_name("NAME")->group("Job");
    run->add_option("--rare", text, "rarely needed")->group("Job");
    run->add_option("--hidden", text, "not shown")->group("");
    run->set_help_flag("-h,--help", "help")->group("General");
    run->footer("A note.\n\nExamples:\n  rv run 1\n  rv run 2\n    continued\n  rv run 3\n  rv run 4");
  }
};

bool contains(const std::string& page, const std::string& part) {
  return page.find(part) != std::string::npos;
}

constexpr std::array<std::string_view, 3> common{"name", "hidden", ""};

}  // namespace

TEST_CASE("--help lists the common options first, and each option once") {
  Fixture fixture;
  const auto page = help_text(*fixture.run, common, 100);
  CHECK(contains(page, "Common options:\n  -n, --name NAME  name of the run\n\nJob:\n      --rare"));
  CHECK(page.find("--name") == page.rfind("--name"));
  CHECK(!contains(page, "--hidden"));
  CHECK(contains(page, "A note.\n\nExamples:\n  rv run 1\n"));
}

TEST_CASE("-h has three examples and only the common and general options") {
  Fixture fixture;
  const auto page = short_help_text(*fixture.run, common, 100);
  CHECK(contains(page, "Examples:\n  rv run 1\n  rv run 2\n  rv run 3\n\n"));
  CHECK(contains(page, "--name NAME"));
  CHECK(contains(page, "--help"));
  CHECK(!contains(page, "--rare"));
  CHECK(!contains(page, "A note."));
  CHECK(page.ends_with("rv run --help lists all options.\n"));
}

TEST_CASE("-h of a command without common options lists all of them") {
  Fixture fixture;
  CHECK(contains(short_help_text(*fixture.run, {}, 100), "--rare"));
}

TEST_CASE("a footer is split at its examples") {
  CHECK(split_footer("A note.\n\nExamples:\n  rv run").text == "A note.");
  CHECK(split_footer("A note.\n\nExamples:\n  rv run").examples == "  rv run");
  CHECK(split_footer("Examples:\n  rv run").text.empty());
  CHECK(split_footer("A note.").text == "A note.");
  CHECK(split_footer("A note.").examples.empty());
}
