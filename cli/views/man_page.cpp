#include "cli/views/man_page.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "base/version.h"
#include "cli/views/help.h"

namespace rv::cli {
namespace {

std::string name_of(const CLI::App& app) {
  return app.get_parent() == nullptr ? "rv" : "rv-" + app.get_name();
}

std::string label(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const auto& name : option.get_snames()) names.push_back("\\fB" + in_roff("-" + name) + "\\fR");
  for (const auto& name : option.get_lnames()) names.push_back("\\fB" + in_roff("--" + name) + "\\fR");
  std::string text = fmt::format("{}", fmt::join(names, ", "));
  if (option.get_items_expected_max() > 0) text += " \\fI" + in_roff(option.get_type_name()) + "\\fR";
  return text;
}

std::string synopsis(const CLI::App& app) {
  if (app.get_parent() == nullptr) return "\\fBrv\\fR \\fICOMMAND\\fR [options]\n";
  std::string text = "\\fBrv " + in_roff(app.get_name()) + "\\fR [options]";
  for (const CLI::Option* option : app.get_options()) {
    if (!option->get_positional()) continue;
    text += " \\fI" + in_roff(argument_usage(*option)) + "\\fR";
  }
  return text + "\n";
}

void add_item(std::string& page, const std::string& what, const std::string& meaning) {
  page += ".TP\n" + what + "\n" + in_roff(meaning.empty() ? "(no description)" : meaning) + "\n";
}

/// Subcommands by group, as on the help page.
void add_commands(std::string& page, const CLI::App& app) {
  std::string group;
  page += ".SH COMMANDS\n";
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (command->get_group().empty()) continue;
    if (command->get_group() != group) page += ".SS " + in_roff(group = command->get_group()) + "\n";
    add_item(page, "\\fB" + in_roff(command->get_name()) + "\\fR, see \\fB" + in_roff(name_of(*command)) + "\\fR(1)",
             command->get_description());
  }
}

void add_options(std::string& page, const CLI::App& app) {
  std::vector<std::string> groups;
  for (const CLI::Option* option : app.get_options()) {
    const auto& group = option->get_group();
    if (option->get_positional() || group.empty()) continue;
    if (std::find(groups.begin(), groups.end(), group) == groups.end()) groups.push_back(group);
  }
  // Those that every command has come last.
  std::stable_partition(groups.begin(), groups.end(), [](const auto& group) { return group != "General"; });
  page += ".SH OPTIONS\n";
  for (const auto& group : groups) {
    if (group != "Options") page += ".SS " + in_roff(group) + "\n";
    for (const CLI::Option* option : app.get_options()) {
      if (!option->get_positional() && option->get_group() == group) {
        add_item(page, label(*option), option->get_description());
      }
    }
  }
}

}  // namespace

std::string in_roff(const std::string& text) {
  std::string out;
  bool begins_line = true;
  for (const char c : text) {
    // Behind a zero-width character a dot or a quote at the beginning of a line is text.
    if (begins_line && (c == '.' || c == '\'')) out += "\\&";
    begins_line = c == '\n';
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
  }
  return out;
}

std::string man_page(const CLI::App& app) {
  const std::string name = name_of(app);
  std::string page = fmt::format(".TH {} 1 \"\" \"rv {}\" \"GPUs on Slurm\"\n", in_roff(name), version);
  const bool root = app.get_parent() == nullptr;
  page += ".SH NAME\n" + in_roff(name) + " \\- " +
          in_roff(root ? "get GPUs on a Slurm cluster sooner" : app.get_description()) + "\n";
  page += ".SH SYNOPSIS\n" + synopsis(app);
  const auto [text, examples] = split_footer(app.get_footer());
  page += ".SH DESCRIPTION\n" + in_roff(app.get_description()) + (root ? "" : ".") + "\n";
  if (!text.empty()) page += ".PP\n" + in_roff(text) + "\n";
  const auto is_argument = [](const CLI::Option* option) { return option->get_positional(); };
  const auto options = app.get_options();
  if (std::any_of(options.begin(), options.end(), is_argument)) page += ".SH ARGUMENTS\n";
  for (const CLI::Option* option : options) {
    if (option->get_positional()) {
      add_item(page, "\\fI" + in_roff(argument_name(*option)) + "\\fR", option->get_description());
    }
  }
  if (root) add_commands(page, app);
  add_options(page, app);
  if (!examples.empty()) page += ".SH EXAMPLES\n.nf\n" + in_roff(examples) + "\n.fi\n";
  page += ".SH SEE ALSO\n" + std::string(root ? "\\fBsbatch\\fR(1), \\fBsqueue\\fR(1)\n" : "\\fBrv\\fR(1)\n");
  return page;
}

}  // namespace rv::cli
