#include "planner/slurm_words/sbatch_option.h"

#include <algorithm>
#include <array>
#include <utility>

namespace rv::planner {
namespace {

constexpr SbatchOption make(std::string_view name, char letter, SbatchValue value, SbatchUse use,
                            std::string_view instead) {
  return {name, letter, value, use, instead};
}

constexpr std::array options{
#define RV_SBATCH_OPTION(name, letter, value, use, instead) \
  make(name, letter, SbatchValue::value, SbatchUse::use, instead),
#include "planner/slurm_words/sbatch_options.inc"
#undef RV_SBATCH_OPTION
};

// Names that sbatch takes as well.
constexpr std::array<std::pair<std::string_view, std::string_view>, 3> synonyms{
    {{"cluster", "clusters"}, {"share", "oversubscribe"}, {"tasks-per-node", "ntasks-per-node"}}};

}  // namespace

const SbatchOption* find_sbatch_option(std::string_view name) {
  const auto synonym =
      std::find_if(synonyms.begin(), synonyms.end(), [&](const auto& pair) { return pair.first == name; });
  if (synonym != synonyms.end()) name = synonym->second;
  const auto found = std::find_if(options.begin(), options.end(), [&](const auto& one) { return one.name == name; });
  return found == options.end() ? nullptr : &*found;
}

const SbatchOption* find_sbatch_option(char letter) {
  const auto found = std::find_if(options.begin(), options.end(),
                                  [&](const auto& one) { return one.letter != 0 && one.letter == letter; });
  return found == options.end() ? nullptr : &*found;
}

std::vector<std::string> sbatch_names_from(std::string_view beginning) {
  if (const auto* exact = find_sbatch_option(beginning)) return {std::string(exact->name)};
  std::vector<std::string> names;
  for (const auto& one : options) {
    if (one.name.starts_with(beginning)) names.emplace_back(one.name);
  }
  return names;
}

std::vector<std::string> sbatch_option_names() {
  return sbatch_names_from("");
}

bool weighs_on_start(std::string_view passed) {
  const auto* option = find_sbatch_option(passed.substr(0, passed.find('=')));
  return option == nullptr || option->use == SbatchUse::weighs;
}

}  // namespace rv::planner
