#include "cli/recipe/recipe.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/documents/yaml_reader.h"
#include "base/error.h"
#include "base/trust/regular_file.h"
#include "cli/json/values_json.h"
#include "cli/recipe/option_schema.h"

namespace rv::cli {
namespace {

constexpr std::string_view command_key = "command";
constexpr std::string_view variables_key = variables_option;

bool is_of_call(const std::string& name) {
  const auto& names = call_options();
  return std::find(names.begin(), names.end(), "--" + name) != names.end();
}

/// "--gpu=4" → "gpu" and "4"; a flag has an empty value.
struct Argument {
  std::string name;
  std::string value;
  bool flag = false;
};

Argument split(std::string_view argument) {
  argument.remove_prefix(std::min<std::size_t>(argument.find_first_not_of('-'), argument.size()));
  const auto equals = argument.find('=');
  if (equals == std::string_view::npos) return {.name = std::string(argument), .value = "", .flag = true};
  return {.name = std::string(argument.substr(0, equals)), .value = std::string(argument.substr(equals + 1))};
}

/// The names of the options that a recipe may have, in the order of --help.
std::vector<std::string> recipe_keys(const CLI::App& command) {
  std::vector<std::string> keys;
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_positional() || option->get_lnames().empty() || option->get_group() == "General") continue;
    const auto& name = option->get_lnames().front();
    // Hidden options are those of sbatch that rv refuses with an advice.
    if (name == "help" || is_of_call(name) || option->get_group().empty()) continue;
    keys.push_back(name);
  }
  return keys;
}

class Reader {
 public:
  Reader(std::string path, const AddOptions& add) : path_(std::move(path)), add_(add) { add_(command_); }

  Recipe read(std::string_view text) {
    known_ = recipe_keys(command_);
    known_.emplace_back(command_key);
    for (const auto& entry : yaml_entries(parse_yaml(text, path_), {path_, ""})) {
      if (entry.name == command_key) {
        read_command(entry);
      } else if (!is_key(entry.name)) {
        refuse(entry);
      } else if (entry.name == variables_key) {
        read_variables(entry);
      } else {
        read_option(entry, *command_.get_option("--" + entry.name));
      }
    }
    return std::move(recipe_);
  }

 private:
  /// Also of an option that rv refuses when it is read.
  bool is_key(const std::string& name) const {
    if (std::find(known_.begin(), known_.end(), name) != known_.end()) return true;
    const auto* option = command_.get_option_no_throw("--" + name);
    return option != nullptr && option->get_group().empty();
  }

  YamlPosition place(const YamlEntry& entry) const { return {path_, entry.name}; }

  [[noreturn]] void refuse(const YamlEntry& entry) const {
    if (is_of_call(entry.name)) {
      refuse_yaml(entry.key, place(entry), "this option can't be in a recipe",
                  fmt::format("give it on the command line: rv run --file {} --{}", path_, entry.name));
    }
    refuse_key(entry, {path_, ""}, known_);
  }

  void read_command(const YamlEntry& entry) {
    recipe_.command = yaml_texts(entry.value, place(entry));
    if (recipe_.command.empty() || recipe_.command.front().empty()) {
      refuse_yaml(entry.value, place(entry), "expected a command", "write it like command: python train.py");
    }
  }

  void read_variables(const YamlEntry& entry) {
    if (!entry.value.IsMap()) {
      refuse_yaml(entry.value, place(entry), "expected names with values", "write it like env: {SEED: 1}");
    }
    for (const auto& variable : yaml_entries(entry.value, place(entry))) {
      add(variable,
          fmt::format("--{}={}={}", variables_key, variable.name, yaml_text(variable.value, {path_, variable.name})));
    }
  }

  void read_option(const YamlEntry& entry, const CLI::Option& option) {
    bool set = false;
    if (is_flag(option) && entry.value.IsScalar() && YAML::convert<bool>::decode(entry.value, set)) {
      if (set) add(entry, "--" + entry.name);
      return;
    }
    if (is_pure_flag(option)) {
      yaml_flag(entry.value, place(entry));  // throws
    }
    const auto values = is_repeated(option) ? yaml_texts(entry.value, place(entry))
                                            : std::vector<std::string>{yaml_text(entry.value, place(entry))};
    for (const auto& value : values) add(entry, fmt::format("--{}={}", entry.name, value));
  }

  /// Adds an argument that the command accepts. Whether it goes with the others is checked with all of them.
  void add(const YamlEntry& entry, std::string argument) {
    CLI::App alone("", "run");
    add_(alone);
    try {
      alone.parse(std::vector<std::string>{argument});
    } catch (const CLI::RequiresError&) {
    } catch (const CLI::ParseError& fault) {
      refuse_yaml(entry.value, place(entry), fault.what(), "see rv run --help");
    } catch (const Error& fault) {
      refuse_yaml(entry.value, {path_, ""}, fault.what(), fault.advice());
    }
    recipe_.options.push_back(std::move(argument));
  }

  std::string path_;
  const AddOptions& add_;
  CLI::App command_;
  std::vector<std::string> known_;
  Recipe recipe_;
};

/// A text that YAML could take for a number stays a text for rv, which reads all values as texts.
void emit(YAML::Emitter& out, const std::string& value) {
  if (value.find('\n') != std::string::npos) out << YAML::Literal;
  out << value;
}

/// One value as a text, several as a list.
void emit(YAML::Emitter& out, const std::vector<std::string>& values) {
  if (values.size() == 1) return emit(out, values.front());
  out << YAML::Flow << YAML::BeginSeq;
  for (const auto& value : values) emit(out, value);
  out << YAML::EndSeq;
}

}  // namespace

const std::vector<std::string>& call_options() {
  static const std::vector<std::string> names = {"--follow",       "--dry-run", "--no-sync", "--raw",    "--probe",
                                                 "--show-mapping", "--file",    "--save",    "--cluster"};
  return names;
}

Recipe read_recipe(const std::string& path, const AddOptions& add) {
  const auto text = trust::read_regular_file(path);
  if (!text) {
    std::error_code fault;
    const auto folder = path.starts_with('/') ? "" : std::filesystem::current_path(fault).string();
    throw Error(fmt::format("--file {}: there is no such file{}{}", path, folder.empty() ? "" : " in ", folder),
                "check the name; rv run … --save FILE writes a new recipe", ExitCode::usage);
  }
  return Reader(path, add).read(*text);
}

std::string recipe_text(const Recipe& recipe, const AddOptions& add) {
  CLI::App command;
  add(command);
  std::vector<std::string> names;
  std::vector<Argument> arguments;
  for (const auto& one : recipe.options) {
    arguments.push_back(split(one));
    const auto& name = arguments.back().name;
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  YAML::Emitter out;
  out << YAML::BeginMap;
  for (const auto& name : names) {
    std::vector<Argument> same;
    std::copy_if(arguments.begin(), arguments.end(), std::back_inserter(same),
                 [&](const Argument& one) { return one.name == name; });
    out << YAML::Key << name << YAML::Value;
    if (name == variables_key) {
      out << YAML::BeginMap;
      for (const auto& one : same) {
        const auto equals = one.value.find('=');
        out << YAML::Key << one.value.substr(0, equals) << YAML::Value;
        emit(out, one.value.substr(equals + 1));
      }
      out << YAML::EndMap;
    } else if (same.front().flag) {
      out << true;
    } else if (same.size() == 1 || !is_repeated(*command.get_option("--" + name))) {
      emit(out, same.back().value);
    } else {
      out << YAML::Flow << YAML::BeginSeq;
      for (const auto& one : same) emit(out, one.value);
      out << YAML::EndSeq;
    }
  }
  if (!recipe.command.empty()) {
    out << YAML::Key << std::string(command_key) << YAML::Value;
    emit(out, recipe.command);
  }
  out << YAML::EndMap;
  return std::string(out.c_str()) + "\n";
}

std::string recipe_schema(const CLI::App& command) {
  using nlohmann::ordered_json;
  const ordered_json list = {{"type", "array"}, {"items", {{"type", {"string", "number"}}}}};
  ordered_json keys;
  for (const auto& name : recipe_keys(command)) keys[name] = option_schema(command, name);
  keys[std::string(command_key)] = {{"description", "the command: one shell command, or a list of arguments"},
                                    {"anyOf", {ordered_json{{"type", "string"}}, list}}};
  return json_text({{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                    {"title", "a recipe of rv run --file"},
                    {"type", "object"},
                    {"additionalProperties", false},
                    {"properties", keys}});
}

}  // namespace rv::cli
