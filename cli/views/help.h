// Help pages, made from the command tree.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace rv::cli {

/// Long names of options (for the root: names of commands), in the order of the page. Empty names are ignored.
using CommonNames = std::span<const std::string_view>;

/// The page of --help, wrapped to `width` columns, with a newline at the end. For the root: what rv is, and all
/// commands by group. For a subcommand: usage and all options by group, those in `common` first. Then the footer, with
/// the examples.
std::string help_text(const CLI::App& app, CommonNames common, int width);

/// The page of -h: up to three examples, then the options (for the root: commands) in `common`; all if it is empty.
std::string short_help_text(const CLI::App& app, CommonNames common, int width);

/// The name of a positional argument, such as "CMD" or "SCRIPT".
std::string argument_name(const CLI::Option& positional);

/// "CMD…", "[RUN]", "[SCRIPT [ARG…]]", "[PORT…] [RUN]".
std::string argument_usage(const CLI::Option& positional);

/// The two parts of a footer: the text before the line "Examples:", and the lines after it. Either may be empty.
struct Footer {
  std::string text;
  std::string examples;
};
Footer split_footer(const std::string& footer);

}  // namespace rv::cli
