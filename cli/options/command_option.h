// The options of a command, without CLI11's headers: each file that includes those takes the compiler three seconds
// more.
#pragma once

#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace rv::cli {

/// An option or positional argument that a command has; refers to CLI11's. The setters chain.
class CommandOption {
 public:
  explicit CommandOption(CLI::Option* option) : option_(option) {}

  /// What --help shows for its value, such as "TIME".
  CommandOption type_name(const std::string& name) const;
  /// The heading in --help; an empty one hides the option.
  CommandOption group(const std::string& heading) const;
  CommandOption description(const std::string& text) const;
  CommandOption required() const;
  /// A value with this character is several values.
  CommandOption delimiter(char character) const;
  CommandOption needs(CommandOption other) const;
  CommandOption excludes(CommandOption other) const;
  /// `name`: an option that the command has already.
  CommandOption excludes(const std::string& name) const;

 private:
  CLI::Option* option_;
};

/// These add an option. `names` is "-a,--all", or a name without dashes for a positional argument. Variables outlive
/// the command.
CommandOption add_flag(CLI::App& command, const std::string& names, bool& variable,
                       const std::string& description = "");
CommandOption add_flag_callback(CLI::App& command, const std::string& names, std::function<void()> callback,
                                const std::string& description);
CommandOption add_option(CLI::App& command, const std::string& names, std::string& variable,
                         const std::string& description = "");
CommandOption add_option(CLI::App& command, const std::string& names, std::optional<std::string>& variable,
                         const std::string& description = "");
CommandOption add_option(CLI::App& command, const std::string& names, std::vector<std::string>& variable,
                         const std::string& description = "");

/// An option whose text goes to `read`, the last one if it is repeated.
CommandOption add_text_option(CLI::App& command, const std::string& names, std::function<void(const std::string&)> read,
                              const std::string& description);
/// An option that may be repeated; `read` receives the text of each occurrence.
CommandOption add_repeated_option(CLI::App& command, const std::string& names,
                                  std::function<void(const std::string&)> read, const std::string& description);

/// An option that the command has.
CommandOption option_of(CLI::App& command, const std::string& name);

/// Adds a hidden name that an earlier release had for the option `name`. Using it prints a note on stderr.
void add_earlier_name(CLI::App& command, const std::string& earlier, const std::string& name, std::string& variable);

/// Leaves options out of the help and the man page; they are still accepted.
void hide_options(CLI::App& command, std::initializer_list<const char*> names);
/// Shows options under another heading.
void regroup_options(CLI::App& command, const std::string& heading, std::initializer_list<const char*> names);

/// The text below the options in --help.
void set_footer(CLI::App& command, const std::string& text);

/// `callback` runs once the command's arguments have been parsed.
void set_callback(CLI::App& command, std::function<void()> callback);

}  // namespace rv::cli
