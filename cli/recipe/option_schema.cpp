#include "cli/recipe/option_schema.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

namespace rv::cli {

bool is_repeated(const CLI::Option& option) {
  return option.get_multi_option_policy() == CLI::MultiOptionPolicy::TakeAll || option.get_items_expected_max() > 1;
}

bool is_flag(const CLI::Option& option) {
  return option.get_items_expected_min() == 0;
}

bool is_pure_flag(const CLI::Option& option) {
  return option.get_items_expected_max() == 0;
}

nlohmann::ordered_json option_schema(const CLI::App& command, const std::string& name) {
  using nlohmann::ordered_json;
  const CLI::Option* option = command.get_option_no_throw("--" + name);
  if (option == nullptr) option = command.get_option(name);
  const ordered_json scalar = {"string", "number"};
  const ordered_json list = {{"type", "array"}, {"items", {{"type", scalar}}}};
  ordered_json schema = {{"description", option->get_description()}};
  if (name == variables_option) {
    schema["type"] = "object";
    schema["additionalProperties"] = {{"type", {"string", "number", "boolean"}}};
  } else if (is_repeated(*option)) {
    schema["anyOf"] = {ordered_json{{"type", scalar}}, list};
  } else if (is_pure_flag(*option)) {
    schema["type"] = "boolean";
  } else {
    schema["type"] = is_flag(*option) ? ordered_json{"boolean", "string", "number"} : scalar;
  }
  return schema;
}

}  // namespace rv::cli
