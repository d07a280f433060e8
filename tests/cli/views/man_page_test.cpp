#include "cli/views/man_page.h"

#include <doctest/doctest.h>

#include <CLI/CLI.hpp>

using namespace rv::cli;

TEST_CASE("text in a manual page is never a request or an escape") {
  CHECK(in_roff(".dot\n'quote\na.b -x \\n") == "\\&.dot\n\\&'quote\na.b \\-x \\en");
}

TEST_CASE("a manual page has the commands, options, description and examples") {
  CLI::App app("what rv is", "rv");
  auto* run = app.add_subcommand("run", "Run a command")->group("Get GPUs");
  std::string text;
  run->add_option("-n,--name", text, "a name")->type_name("NAME");
  run->add_option("WHAT", text, "what to run")->required();
  run->footer("A note.\n\nExamples:\n  .rv run");
  const auto root = man_page(app);
  CHECK(root.find(".SS Get GPUs\n.TP\n\\fBrun\\fR, see \\fBrv\\-run\\fR(1)\nRun a command\n") != std::string::npos);
  const auto page = man_page(*run);
  CHECK(page.starts_with(".TH rv\\-run 1 "));
  CHECK(page.find("\\fBrv run\\fR [options] \\fIWHAT\\fR\n") != std::string::npos);
  CHECK(page.find(".TP\n\\fB\\-n\\fR, \\fB\\-\\-name\\fR \\fINAME\\fR\na name\n") != std::string::npos);
  CHECK(page.find(".SH DESCRIPTION\nRun a command.\n.PP\nA note.\n") != std::string::npos);
  CHECK(page.find(".SH EXAMPLES\n.nf\n  .rv run\n.fi\n") != std::string::npos);
}
