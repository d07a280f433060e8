// The commands: each is defined in its own file, with all its properties that other code uses.
#pragma once

#include <array>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "cli/options/invocation.h"
#include "cli/options/user_command.h"
#include "cli/remote/hop/hop.h"
#include "cli/settings/settings.h"

namespace CLI {
class App;
}

namespace rv::cli {

/// Where a command does its work when a login node is set.
enum class RunsOn {
  login_node,  // there: the whole command line goes over
  here,        // on the machine where it was typed; it requests what it needs from the login node itself
};

/// Titles of the help page.
namespace groups {
inline constexpr const char* get_gpus = "Get GPUs";
inline constexpr const char* test_gpus = "Test GPUs";
inline constexpr const char* follow_runs = "Follow runs";
inline constexpr const char* look_ahead = "Look ahead";
inline constexpr const char* other = "Other";
}  // namespace groups

/// The advice after a lost connection for commands whose work is a run.
inline constexpr const char* run_continues = "runs that were started there continue: rv -H {0} ps";

/// A command's body; the int is rv's exit code.
using Action = std::function<int()>;

/// Says something of one call, from the options that were given.
using OfCall = bool (*)(const CLI::App& called);

/// Fewer than this many leave the rest empty.
using OtherNames = std::array<std::string_view, 6>;

/// Long names of options, without dashes; unused places are empty.
using CommonOptions = std::array<std::string_view, 14>;

struct Command {
  const char* name;
  const char* summary;        // its line on the help page
  const char* group;          // and the title that it stands under
  CommonOptions common = {};  // of many options those that -h shows and --help lists first; empty: all
  OtherNames synonyms = {};   // other names that call it
  OtherNames nearest = {};    // words of other tools that are not synonyms; the error for them suggests this command
  const char* instead = nullptr;  // advice for arguments that the command does not accept; nothing: see its help
  const char* example = nullptr;  // a call, for the error about a required argument that is missing
  RunsOn runs_on = RunsOn::login_node;
  OfCall stays_here = nullptr;   // a call that belongs here although the command belongs to the login node
  bool needs_settings = true;    // false: it needs no home folder and does not read the settings files
  OfCall needs_files = nullptr;  // a call that starts something for which this folder's files may be needed
  OfCall follows = nullptr;      // a call whose output resumes where it stopped after a lost connection
  /// Throws Error(usage) for a call that can't work on the login node. Called on the laptop before anything is sent.
  void (*check_sent)(const CLI::App& called, const Invocation& invocation) = nullptr;
  /// Called instead of the action after a lost connection: follows the run that the call has started (resumed_run) and
  /// returns rv's exit code. Uses no file of the caller's folder, which may have changed. Empty: the action starts no
  /// run.
  int (*resume)(const CLI::App& called, const Invocation& invocation) = nullptr;
  /// The advice after a lost connection, for a call that is not resumed; {0} is the login node. Empty: run it again.
  const char* when_lost = nullptr;
  /// For a call on the login node: the action here for an announcement from there; empty if it sends none.
  remote::Announced (*hears)(const CLI::App& called, const Invocation& invocation, const HostSettings& there) = nullptr;
  /// Adds options and footer and, in the callback of a call, sets `action`. `invocation` is complete by the time the
  /// action runs, not before. Both outlive the command.
  void (*add)(CLI::App& command, const Invocation& invocation, Action& action);
};

/// In the order of the help page.
std::span<const Command* const> all_commands();

/// The `nearest` of all commands.
std::vector<NearestCommand> nearest_commands();

/// Throws std::out_of_range for a name that no command has.
const Command& command_named(std::string_view name);

}  // namespace rv::cli
