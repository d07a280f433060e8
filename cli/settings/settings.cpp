#include "cli/settings/settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>

#include "base/documents/yaml_reader.h"
#include "base/error.h"
#include "base/os/atomic_file.h"
#include "base/os/user_name.h"
#include "base/os/visibility.h"
#include "base/quote.h"
#include "base/regex_pattern.h"
#include "base/text.h"
#include "base/trust/private_folder.h"
#include "base/variable.h"
#include "base/walltime.h"
#include "cli/settings/catalogue_yaml.h"
#include "shared/number.h"

namespace rv {

namespace {

std::string absolute(const std::string& path) {
  return std::filesystem::absolute(path).lexically_normal().string();
}

/// $NAME and ${NAME} from the environment.
std::string expanded(const std::string& text, const YAML::Node& node, const YamlPosition& place) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] != '$') {
      out += text[i++];
      continue;
    }
    const bool braces = i + 1 < text.size() && text[i + 1] == '{';
    const std::size_t begin = i + (braces ? 2 : 1);
    std::size_t end = begin;
    while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) != 0 || text[end] == '_')) ++end;
    const std::string name = text.substr(begin, end - begin);
    const bool closed = !braces || (end < text.size() && text[end] == '}');
    const std::string value = name == "USER" ? os::user_name() : variable(name.c_str());
    if (name.empty() || !closed || value.empty()) {
      refuse_yaml(node, place,
                  name.empty() || !closed ? fmt::format("\"{}\" has a $ without a name", text)
                                          : fmt::format("the variable {} is not set", name),
                  "write an absolute folder, or one with variables that are set, such as /scratch/$USER");
    }
    out += value;
    i = end + (braces ? 1 : 0);
  }
  return out;
}

std::string yaml_folder(const YAML::Node& node, const YamlPosition& place) {
  std::string path = expanded(yaml_text(node, place), node, place);
  if (!path.starts_with('/')) {
    refuse_yaml(node, place, fmt::format("\"{}\" is not an absolute folder", path),
                fmt::format("write it like {}: /scratch/$USER", place.key));
  }
  return path;
}

/// Expanded here it would be this machine's $USER or $HOME, so it is taken as it is.
std::string yaml_cluster_home(const YAML::Node& node, const YamlPosition& place) {
  std::string path = yaml_text(node, place);
  if (!path.starts_with('/') || !is_plain_word(path)) {
    refuse_yaml(node, place, fmt::format("\"{}\" is not an absolute folder of plain characters", path),
                "write it like cluster_home: /scratch/ann/rv");
  }
  return path;
}

std::string yaml_container(const YAML::Node& node, const YamlPosition& place) {
  std::string form = yaml_text(node, place);
  constexpr std::string_view known[] = {"pyxis", "apptainer", "singularity", "podman", "docker"};
  if (std::find(std::begin(known), std::end(known), form) == std::end(known)) {
    refuse_yaml(node, place, fmt::format("unknown container engine \"{}\"", form),
                "write container: and one of pyxis, apptainer, singularity, podman, docker");
  }
  return form;
}

/// Whole seconds, "20s" as rv accept prints it, or 20.
std::chrono::seconds yaml_lag(const YAML::Node& node, const YamlPosition& place) {
  std::string text = yaml_text(node, place);
  if (text.ends_with('s')) text.pop_back();
  const auto value = number_in<int>(text, 1, 3600);
  if (!value) {
    refuse_yaml(node, place, "whole seconds from 1 to 3600 are expected",
                fmt::format("write it like {}: 20s; rv accept --suite io measures it", place.key));
  }
  return std::chrono::seconds(*value);
}

/// "5%", or 5.
double yaml_percent(const YAML::Node& node, const YamlPosition& place) {
  std::string text = yaml_text(node, place);
  if (text.ends_with('%')) text.pop_back();
  const auto value = number_in<double>(text, 0, 100);
  if (value.value_or(0) == 0) {
    refuse_yaml(node, place, "expected a share above 0 % and up to 100 %",
                fmt::format("write it like {}: 5%", place.key));
  }
  return *value;
}

std::optional<monitor::IdlePolicy> yaml_idle_policy(const YAML::Node& node, const YamlPosition& place) {
  std::optional<double> below;
  std::optional<std::chrono::seconds> after;
  for (const YamlEntry& entry : yaml_entries(node, place)) {
    const YamlPosition at{place.file, entry.name};
    if (entry.name == "gpu_below") {
      below = yaml_percent(entry.value, at);
    } else if (entry.name == "after") {
      after = yaml_time(entry.value, at);
    } else {
      refuse_key(entry, at, {"gpu_below", "after"});
    }
  }
  if (!below && !after) return std::nullopt;  // a later file takes the site's policy away
  if (!below || !after || after->count() == 0) {
    refuse_yaml(node, place, "both gpu_below and after are needed",
                "write it like idle_policy: {gpu_below: 5%, after: 1h}");
  }
  return monitor::IdlePolicy{.below = *below, .after = *after};
}

/// Empty if the value is valid.
std::string number_pattern_fault(const std::string& pattern) {
  const RegexPattern compiled(pattern);
  return compiled.fault().empty() && !compiled.has_group() ? "no group around the number" : compiled.fault();
}

std::optional<BalanceQuestion> yaml_balance(const YAML::Node& node, const YamlPosition& place) {
  BalanceQuestion question;
  for (const YamlEntry& entry : yaml_entries(node, place)) {
    const YamlPosition at{place.file, entry.name};
    if (entry.name == "command") {
      question.command = yaml_text(entry.value, at);
    } else if (entry.name == "pattern") {
      question.pattern = yaml_text(entry.value, at);
      const std::string fault = question.pattern.empty() ? "" : number_pattern_fault(question.pattern);
      if (!fault.empty()) {
        refuse_yaml(entry.value, at, fmt::format("invalid pattern \"{}\": {}", question.pattern, fault),
                    "write an extended regular expression with the number in parentheses: left: *([0-9.]+)");
      }
    } else {
      refuse_key(entry, at, {"command", "pattern"});
    }
  }
  if (question.command.empty() && question.pattern.empty()) return std::nullopt;  // a later file takes it away
  if (question.command.empty()) {
    refuse_yaml(node, place, "a command is needed", "write it like balance: {command: allocation --of {account}}");
  }
  return question;
}

/// Classes of a launcher's messages, each with its words.
std::map<std::string, std::vector<std::string>> yaml_messages(const YAML::Node& node, const YamlPosition& place) {
  const std::vector<std::string> classes = {"good", "warning", "critical"};
  std::map<std::string, std::vector<std::string>> messages;
  for (const YamlEntry& entry : yaml_entries(node, place)) {
    const YamlPosition at{place.file, place.key + "." + entry.name};
    if (!contains(classes, entry.name)) refuse_key(entry, at, classes);
    messages[entry.name] = yaml_texts(entry.value, at);
    if (contains(messages[entry.name], "")) {
      refuse_yaml(entry.value, at, "an empty text is in every line", "write the words that make a line " + entry.name);
    }
  }
  return messages;
}

/// A key of the files, and what it does with its value.
/// "never" is 0.
std::chrono::seconds yaml_time_or_never(const YAML::Node& node, const YamlPosition& at) {
  return yaml_text(node, at) == "never" ? std::chrono::seconds(0) : yaml_time(node, at);
}

struct Key {
  const char* name;
  void (*apply)(Settings&, const YAML::Node&, const YamlPosition&);
};

/// For a key whose value is stored unchanged in a member.
template <auto member, auto read>
void set(Settings& settings, const YAML::Node& node, const YamlPosition& at) {
  settings.*member = read(node, at);
}

constexpr std::array keys{
    Key{"scratch", set<&Settings::scratch, yaml_folder>},
    Key{"fanout",
        [](auto& settings, const auto& node, const auto& at) { settings.fanout = yaml_count(node, at, 1, 1000); }},
    Key{"head_start", [](auto& settings, const auto& node,
                         const auto& at) { settings.head_start_s = yaml_number(node, at, 0, 3600); }},
    Key{"time", set<&Settings::time, yaml_time>},
    Key{"account", set<&Settings::account, yaml_text>},
    Key{"setup", set<&Settings::setup_lines, yaml_texts>},
    Key{"avoid_partitions", set<&Settings::avoid_partitions, yaml_texts>},
    Key{"gpus", [](auto& settings, const auto& node, const auto& at) { apply_models(settings.catalogue, node, at); }},
    Key{"aliases",
        [](auto& settings, const auto& node, const auto& at) { apply_aliases(settings.catalogue, node, at); }},
    Key{"su_factor", [](auto& settings, const auto& node,
                        const auto& at) { settings.catalogue.su_factor = yaml_number(node, at, 0, 1e6); }},
    Key{"host", set<&Settings::host, yaml_text>},
    Key{"cluster_home", set<&Settings::cluster_home, yaml_cluster_home>},
    Key{"segment", set<&Settings::segment, yaml_time>},
    Key{"prefer_partitions", set<&Settings::prefer_partitions, yaml_texts>},
    Key{"idle_policy", set<&Settings::idle_policy, yaml_idle_policy>},
    Key{"idle_stop", set<&Settings::idle_stop, yaml_time_or_never>},
    Key{"stall", set<&Settings::stall, yaml_time_or_never>},
    Key{"preflight", set<&Settings::preflight, yaml_flag>},
    Key{"balance", set<&Settings::balance, yaml_balance>},
    Key{"quota_command", set<&Settings::quota_command, yaml_text>},
    Key{"workers", set<&Settings::workers, yaml_folder>},
    Key{"accept_baselines", set<&Settings::accept_baselines, yaml_folder>},
    Key{"node_memory", set<&Settings::node_memory, yaml_folder>},
    Key{"stress_messages", set<&Settings::stress_messages, yaml_messages>},
    Key{"container", set<&Settings::container, yaml_container>},
    Key{"build_on_node", set<&Settings::build_on_node, yaml_flag>},
    Key{"gpu_curves", set<&Settings::gpu_curves, yaml_flag>},
    Key{"visibility_lag", set<&Settings::visibility_lag, yaml_lag>},
    Key{"sync", set<&Settings::sync, yaml_flag>},
};

std::vector<std::string> known_keys() {
  std::vector<std::string> names;
  names.reserve(keys.size());
  for (const Key& key : keys) names.emplace_back(key.name);
  return names;
}

std::optional<std::string> text_of(const std::string& path, bool needed) {
  const bool chosen = needed || path == variable("RV_SITE");
  const char* advice = chosen ? "RV_SITE names it: correct or unset RV_SITE" : "make it readable, or move it away";
  std::optional<std::string> text;
  try {
    text = os::read_file(path);
  } catch (const Error& fault) {
    throw Error(fmt::format("can't read the settings file {}", std::string(fault.what()).substr(sizeof "can't read")),
                advice, ExitCode::usage);
  }
  if (!text && needed) {
    throw Error(fmt::format("the settings file {} does not exist", path), advice, ExitCode::usage);
  }
  return text;
}

/// $RV_HOME, else $HOME/.rv; empty where neither is set.
std::string rv_home() {
  const std::string user_home = variable("HOME");
  const std::string home = variable("RV_HOME");
  return home.empty() && !user_home.empty() ? user_home + "/.rv" : home;
}

/// Absolute. Whoever can write there can change the settings and what runs execute.
std::string trusted_home(const std::string& home) {
  std::string path = absolute(home);
  trust::check_private_folder(path, "set RV_HOME to another folder");
  return path;
}

void apply_file(Settings& settings, const std::string& path, bool needed) {
  if (const auto text = text_of(path, needed)) apply_settings(settings, *text, path);
}

}  // namespace

void apply_settings(Settings& settings, std::string_view text, const std::string& file) {
  for (const YamlEntry& entry : yaml_entries(parse_yaml(text, file), {file, ""})) {
    const YamlPosition at{file, entry.name};
    const auto key = std::find_if(keys.begin(), keys.end(), [&](const Key& one) { return entry.name == one.name; });
    if (key == keys.end()) refuse_key(entry, at, known_keys());
    key->apply(settings, entry.value, at);
  }
}

HostSettings read_host_settings() {
  HostSettings settings;
  const std::string site = variable("RV_SITE");
  const std::string home = rv_home();
  for (const std::string& path :
       {site.empty() ? "/etc/rv/site.yaml" : site, home.empty() ? home : trusted_home(home) + "/config.yaml"}) {
    const auto text = path.empty() ? std::nullopt : text_of(path, false);
    if (!text) continue;
    for (const YamlEntry& entry : yaml_entries(parse_yaml(*text, path), {path, ""})) {
      if (entry.name == "host") settings.host = yaml_text(entry.value, {path, entry.name});
      if (entry.name == "sync") settings.sync = yaml_flag(entry.value, {path, entry.name});
      if (entry.name == "cluster_home") settings.cluster_home = yaml_cluster_home(entry.value, {path, entry.name});
    }
  }
  return settings;
}

Settings read_settings() {
  Settings settings;
  settings.catalogue = built_in_catalogue();
  const std::string home = rv_home();
  if (home.empty()) {
    throw Error("neither RV_HOME nor HOME is set", "set RV_HOME to a folder on the cluster's shared file system",
                ExitCode::usage);
  }
  settings.home = trusted_home(home);

  const std::string site = variable("RV_SITE");
  apply_file(settings, site.empty() ? "/etc/rv/site.yaml" : site, !site.empty());
  apply_file(settings, settings.home + "/config.yaml", false);

  if (settings.scratch.empty()) {
    const std::string scratch = variable("SCRATCH");
    settings.scratch = scratch.empty() ? settings.home + "/scratch" : absolute(scratch);
  }
  os::set_visibility_lag(settings.visibility_lag);
  return settings;
}

}  // namespace rv
