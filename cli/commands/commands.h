// The commands: each is defined in its own file, with everything that the rest of rv needs to know about it.
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
enum class Place {
  login_node,  // there: the whole command line goes over
  here,        // on the machine where it was typed; what it needs from the login node it asks for itself
};

/// Titles of the help page.
namespace groups {
inline constexpr const char* get_gpus = "Get GPUs";
inline constexpr const char* test_gpus = "Test GPUs";
inline constexpr const char* follow_runs = "Follow runs";
inline constexpr const char* look_ahead = "Look ahead";
inline constexpr const char* other = "Other";
}  // namespace groups

/// A command's body; the int is rv's exit code.
using Action = std::function<int()>;

/// Says something of one call, from the options that were given.
using OfCall = bool (*)(const CLI::App& called);

/// Fewer than this many leave the rest empty.
using OtherWords = std::array<std::string_view, 6>;

/// Long names of options, without dashes; unused places are empty.
using CommonOptions = std::array<std::string_view, 14>;

struct Command {
  const char* name;
  const char* summary;            // its line on the help page
  const char* group;              // and the title that it stands under
  CommonOptions common = {};      // of many options those that -h shows and --help lists first; empty: all
  OtherWords synonyms = {};       // other names that call it
  OtherWords nearest = {};        // words of other tools that don't, but for which it is named: "did you mean"
  const char* instead = nullptr;  // what to do about words that the command does not take; nothing: see its help
  Place place = Place::login_node;
  OfCall stays_here = nullptr;   // a call that belongs here although the command belongs to the login node
  bool needs_settings = true;    // false: it works without a home folder and whatever the settings files hold
  OfCall needs_files = nullptr;  // a call that starts something for which this folder's files may be needed
  OfCall follows = nullptr;      // a call whose output goes on after a lost connection where it stopped
  /// Of a call that goes to the login node: what is done here with what it announces there; nothing: it announces
  /// nothing.
  remote::Announced (*hears)(const CLI::App& called, const Invocation& invocation, const HostSettings& there) = nullptr;
  /// Adds options and footer and, in the callback of a call, sets `action`. `invocation` is complete by the time the
  /// action runs, not before. Both outlive the command.
  void (*add)(CLI::App& command, const Invocation& invocation, Action& action);
};

/// In the order of the help page.
std::span<const Command* const> all_commands();

/// What all commands' `nearest` say.
std::vector<NearestCommand> nearest_commands();

/// Throws std::out_of_range for a name that no command has.
const Command& command_named(std::string_view name);

}  // namespace rv::cli
