#include "cli/options/passed_option.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/did_you_mean.h"
#include "base/error.h"
#include "base/nearest_word.h"
#include "base/wrong_value.h"
#include "cli/options/option_values.h"
#include "cli/options/value_option.h"
#include "planner/slurm_words/sbatch_option.h"

namespace rv::cli {
namespace {

using planner::SbatchUse;
using planner::SbatchValue;

[[noreturn]] void refuse(const std::string& message, const std::string& advice) {
  throw Error(message, advice, ExitCode::usage);
}

bool is_option_name(std::string_view name) {
  const auto plain = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_'; };
  return !name.empty() && name.front() != '-' && std::all_of(name.begin(), name.end(), plain);
}

/// A site's plugins add options that no table has; a slip of the keyboard is not one of them.
void check_unknown(std::string_view name) {
  if (!is_option_name(name)) {
    throw wrong_value("--sbatch", name, "the name of an option of sbatch",
                      "write it like --sbatch reservation=course, or --sbatch contiguous");
  }
  const auto known = planner::sbatch_option_names();
  const bool slip = std::any_of(known.begin(), known.end(), [&](const std::string& one) {
    return edit_distance(name, one) == 1 || (name.size() > 1 && one.starts_with(name));
  });
  if (!slip) return;
  refuse(fmt::format("--sbatch {}: sbatch has no such option{}", name, suggestion(name, known)),
         "sbatch --help lists its options");
}

void check_value(const planner::SbatchOption& option, bool has_value) {
  if (option.value == SbatchValue::none && has_value) {
    refuse(fmt::format("--sbatch {}: sbatch's --{} takes no value", option.name, option.name),
           fmt::format("write --sbatch {}", option.name));
  }
  if (option.value == SbatchValue::required && !has_value) {
    refuse(fmt::format("--sbatch {}: sbatch's --{} needs a value", option.name, option.name),
           fmt::format("write --sbatch {}=VALUE", option.name));
  }
}

}  // namespace

std::string_view passed_name(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of('-'), text.size()));
  return text.substr(0, text.find('='));
}

std::string passed_option(std::string_view text) {
  const auto typed = passed_name(text);
  const auto equals = text.find('=');
  const auto* option = planner::find_sbatch_option(typed);
  if (option == nullptr) check_unknown(typed);
  std::string name(option == nullptr ? typed : option->name);
  if (option != nullptr && option->use == SbatchUse::own) {
    refuse(fmt::format("--sbatch {}: rv sets this itself", name), std::string(option->instead));
  }
  const bool has_value = equals != std::string_view::npos;
  if (option != nullptr) check_value(*option, has_value);
  if (!has_value) return name;
  return name + "=" + line_value("--sbatch " + name, text.substr(equals + 1));
}

void add_passed_options(CLI::App& command, std::vector<std::string>& passed, bool& exclusive) {
  add_values(
      command, "--sbatch",
      [&passed, &exclusive](const std::string& /*option*/, const std::string& text) {
        auto one = passed_option(text);
        if (one == "exclusive") {
          exclusive = true;
          return;
        }
        const auto twice = std::any_of(passed.begin(), passed.end(), [&](const std::string& other) {
          return passed_name(other) == passed_name(one);
        });
        if (twice) refuse(fmt::format("--sbatch {} is given twice", passed_name(one)), "give it once");
        passed.push_back(std::move(one));
      },
      "another option of sbatch: begin=16:00, reservation=NAME, contiguous; can be repeated")
      .type_name("KEY[=VALUE]")
      .group("Slurm");
}

std::vector<std::string> not_counted(const std::vector<std::string>& passed) {
  std::vector<std::string> out;
  for (const auto& one : passed) {
    if (planner::weighs_on_start(one)) out.push_back("--" + one);
  }
  return out;
}

}  // namespace rv::cli
