#include "cli/options/option_record.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "base/error.h"
#include "cli/options/passed_option.h"

namespace rv::cli {
namespace {

std::string name_of(const CLI::Option& option) {
  return option.get_lnames().empty() ? "-" + option.get_snames().front() : "--" + option.get_lnames().front();
}

bool is_among(const CLI::Option& option, const std::vector<std::string>& names) {
  return std::any_of(names.begin(), names.end(), [&](const std::string& name) { return option.check_name(name); });
}

constexpr std::string_view passed = "--sbatch=";
constexpr std::string_view of_variable = "--env=";

/// These count as that many options as they have keys.
bool has_keys(std::string_view argument) {
  return argument.starts_with(passed) || argument.starts_with(of_variable);
}

/// The option that an argument sets: "--gpu"; for --sbatch and --env its key as well.
std::string subject_of(std::string_view argument) {
  if (argument.starts_with(passed)) {
    return std::string(passed) + std::string(passed_name(argument.substr(passed.size())));
  }
  const auto from = argument.starts_with(of_variable) ? of_variable.size() : 0;
  return std::string(argument.substr(0, argument.find('=', from)));
}

std::string with_current_name(const std::string& argument) {
  const auto equals = std::min(argument.find('='), argument.size());
  return std::string(current_name(argument.substr(0, equals))) + argument.substr(equals);
}

}  // namespace

std::string_view current_name(std::string_view option) {
  return option == "--segment" ? "--segment-time" : option;
}

std::vector<std::string> options_given(const CLI::App& command, const std::vector<std::string>& left_out) {
  std::vector<std::string> out;
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_positional() || option->count() == 0 || is_among(*option, left_out)) continue;
    if (option->get_group() == "General") continue;  // --json, --host: every command has them
    const bool is_flag = option->get_items_expected_max() == 0;
    for (const auto& value : option->results()) out.push_back(name_of(*option) + (is_flag ? "" : "=" + value));
  }
  return out;
}

std::vector<std::string> overridden(const std::vector<std::string>& earlier, const std::vector<std::string>& now) {
  std::vector<std::string> out;
  for (const auto& recorded : earlier) {
    auto argument = with_current_name(recorded);
    const bool replaced =
        std::any_of(now.begin(), now.end(), [&](const auto& one) { return subject_of(one) == subject_of(argument); });
    if (!replaced) out.push_back(std::move(argument));
  }
  out.insert(out.end(), now.begin(), now.end());
  return out;
}

std::vector<std::string> merged_options(const std::vector<std::string>& earlier, const CLI::App& command,
                                        const std::vector<std::string>& left_out) {
  // An option that is not recorded replaces an earlier one all the same.
  std::vector<std::string> kept;
  for (const auto& recorded : earlier) {
    const CLI::Option* option = command.get_option_no_throw(recorded.substr(0, recorded.find('=')));
    if (option == nullptr || option->count() == 0 || has_keys(recorded)) kept.push_back(recorded);
  }
  return overridden(kept, options_given(command, left_out));
}

void parse_options(const std::vector<std::string>& arguments, const std::function<void(CLI::App&)>& add) {
  CLI::App app;
  add(app);
  std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
  try {
    app.parse(std::move(reversed));
  } catch (const CLI::ParseError& fault) {
    throw Error(fmt::format("the recorded options are not valid: {}", fault.what()),
                "call rv run with the options you want", ExitCode::usage);
  }
}

void remove_defaults(CLI::App& command, const std::vector<std::string>& kept) {
  for (CLI::Option* option : command.get_options()) {
    if (option->get_positional() || option->get_group() == "General") continue;
    const auto& names = option->get_lnames();
    const auto is_kept = [&](const std::string& name) {
      return std::find(kept.begin(), kept.end(), "--" + name) != kept.end();
    };
    if (std::any_of(names.begin(), names.end(), is_kept)) continue;
    std::string text = option->get_description();
    const auto begin = text.find(" (default: ");
    const auto end = text.find(')', begin);
    if (begin == std::string::npos || end == std::string::npos) continue;
    option->description(text.erase(begin, end + 1 - begin));
  }
}

}  // namespace rv::cli
