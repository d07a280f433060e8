#include "cli/options/completion.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "base/text.h"
#include "reports/accept/suite.h"

namespace rv::cli {

namespace {

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

bool takes_value(const CLI::Option& option) {
  return option.get_items_expected_max() > 0;
}
bool takes_file(const CLI::Option& option) {
  return option.get_type_name() == "FILE";
}
bool takes_user_command(const CLI::App& app) {
  return app.get_option_no_throw("CMD") != nullptr;
}

/// Candidates for an option's value or an argument: "@types", a kind of completion_words.h, or the words
/// themselves, "bash|zsh|fish". Empty: anything.
std::string values_of(const CLI::Option& option) {
  std::string type = option.get_type_name();
  if (type.find('|') != std::string::npos) return type;
  if (option.get_positional()) return option.get_name(true) == "run" ? "@runs" : "";
  if (option.check_lname("suite")) return accept::suite_names("|");
  constexpr std::array<std::pair<const char*, const char*>, 13> known{{
      {"type", "@types"},
      {"partition", "@partitions"},
      {"account", "@accounts"},
      {"after", "@runs"},
      {"checkpoint-from", "@runs"},
      {"judge", "@runs"},
      {"device", "auto|gpu|cpu"},
      {"fabric", "nvlink|shm|ib|ethernet"},
      {"splits", "pairs|all|two-nodes"},
      {"goal", "soonest|cheapest"},
      {"signal", "USR1|USR2|INT|HUP|TERM|ALRM|URG|CONT"},
      {"notify", "started|segment|stalled|ended|none"},
      {"state",
       "submitting|unsubmitted|queued|starting|running|holding|ending|done|failed|timeout|stopped|node-failure|"
       "preempted|out-of-memory|refused|lost|unknown"},
  }};
  for (const auto& [name, values] : known) {
    if (option.check_lname(name)) return values;
  }
  return "";
}

/// The command's own arguments and their names in the help. Only runs that are not over can be stopped.
struct Choices {
  std::string of;      // "shell"
  std::string values;  // as of values_of
};

std::optional<Choices> choices_of(const CLI::App& app) {
  for (const CLI::Option* option : app.get_options()) {
    if (!option->get_positional() || values_of(*option).empty()) continue;
    const bool live = app.get_name() == "stop";
    return Choices{lower(option->get_name(true)), live ? "@live-runs" : values_of(*option)};
  }
  return std::nullopt;
}

std::vector<const CLI::Option*> options_of(const CLI::App& app) {
  return app.get_options([](const CLI::Option* option) { return !option->get_positional(); });
}

std::vector<std::string> dashed_names(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  return names;
}

template <typename Wanted>
std::string all_names(const CLI::App& app, const Wanted& wanted) {
  std::string names;
  for (const CLI::Option* option : options_of(app)) {
    if (!wanted(*option)) continue;
    for (const std::string& name : dashed_names(*option)) names += (names.empty() ? "" : " ") + name;
  }
  return names;
}

std::string command_names(const CLI::App& app) {
  std::string names;
  for (const CLI::App* command : commands_of(app)) names += (names.empty() ? "" : "|") + command->get_name();
  return names + "|help";
}

std::string replaced(std::string text, std::string_view what, std::string_view with) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size())) {
    text.replace(at, what.size(), with);
  }
  return text;
}

// ---- bash

std::string bash_case(const CLI::App& app, const std::string& name, const std::string& words) {
  const auto any = [](const CLI::Option&) { return true; };
  std::string kinds;
  for (const CLI::Option* option : options_of(app)) {
    const auto values = values_of(*option);
    if (values.empty() || !takes_value(*option)) continue;
    for (const auto& dashed : dashed_names(*option)) kinds += fmt::format(" {}={}", dashed, values);
  }
  return fmt::format("    {}) options='{}' values=' {} ' files=' {} ' kinds='{} ' words='{}' user={} ;;\n",
                     name.empty() ? "''" : name, all_names(app, any), all_names(app, takes_value),
                     all_names(app, takes_file), kinds, words, takes_user_command(app) ? 1 : 0);
}

constexpr const char* bash_head = R"(# bash completion for rv
# _rv_values PROGRAM KIND: one word a line; "@types" is asked of rv, which reads local files alone.
_rv_values() {
  case $2 in
    @*) "$1" --words "${2#@}" 2>/dev/null ;;
    *) printf '%s\n' ${2//|/ } ;;
  esac
}
# _rv_offer PROGRAM KIND WORD: those that go on from the last part of a list with commas.
_rv_offer() {
  local head='' last=$3 word
  if [[ $last == *,* ]]; then
    head=${last%,*},
    last=${last##*,}
  fi
  while read -r word; do
    [[ $word != "$last"* ]] || COMPREPLY+=("$head$word")
  done < <(_rv_values "$1" "$2")
}
_rv() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}
  local command='' options='' values='' files='' kinds='' words='' user=0 i word program=${1:-rv}
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    if [[ ${COMP_WORDS[i]} != -* ]]; then
      command=${COMP_WORDS[i]}
      break
    fi
  done
  case $command in
)";

constexpr const char* bash_tail = R"(    *) return ;;
  esac
  # Behind rv's options stands the user's own command.
  if [[ -n $command && $user == 1 ]]; then
    for ((i++; i < COMP_CWORD; i++)); do
      word=${COMP_WORDS[i]}
      if [[ $values == *" $word "* ]]; then
        ((i++))
      elif [[ $word == -- || $word != -* ]]; then
        compopt -o default
        if [[ $word == -- && $((i + 1)) == "$COMP_CWORD" ]]; then
          mapfile -t COMPREPLY < <(compgen -c -- "$cur")
        fi
        return
      fi
    done
  fi
  if [[ $files == *" $prev "* ]]; then
    mapfile -t COMPREPLY < <(compgen -f -- "$cur")
  elif [[ $kinds == *" $prev="* ]]; then
    word=${kinds#*" $prev="}
    _rv_offer "$program" "${word%% *}" "$cur"
  elif [[ $values == *" $prev "* ]]; then
    return
  elif [[ $cur == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$options" -- "$cur")
  elif [[ -n $words ]]; then
    _rv_offer "$program" "$words" "$cur"
  elif [[ $user == 1 ]]; then
    compopt -o default
    mapfile -t COMPREPLY < <(compgen -c -- "$cur")
  fi
}
complete -F _rv rv
)";

std::string bash_script(const CLI::App& app) {
  std::string out = bash_head;
  out += bash_case(app, "", command_names(app));
  for (const CLI::App* command : commands_of(app)) {
    const auto choices = choices_of(*command);
    out += bash_case(*command, command->get_name(), choices ? choices->values : "");
  }
  return out + bash_tail;
}

// ---- zsh

std::string zsh_text(const std::string& text) {
  std::string out = replaced(text, "\\", "\\\\");
  for (const char* special : {"[", "]", ":"}) out = replaced(out, special, std::string("\\") + special);
  return replaced(out, "'", "'\\''");
}

/// An action of _arguments.
std::string zsh_values(const std::string& values) {
  if (values.empty()) return "";
  return values.front() == '@' ? " _rv_values " + values.substr(1) : "(" + replaced(values, "|", " ") + ")";
}

std::string zsh_options(const CLI::App& app) {
  std::string out;
  for (const CLI::Option* option : options_of(app)) {
    const std::vector<std::string> names = dashed_names(*option);
    std::string value;
    if (takes_value(*option)) {
      value = fmt::format(":{}:{}", zsh_text(option->get_type_name()),
                          takes_file(*option) ? "_files" : zsh_values(values_of(*option)));
    }
    const std::string repeat = option->get_items_expected_max() > 1 ? "*" : "";
    for (const std::string& name : names) {
      const std::string others = repeat.empty() ? fmt::format("({})", fmt::join(names, " ")) : "";
      out +=
          fmt::format(" \\\n        '{}{}{}[{}]{}'", others, repeat, name, zsh_text(option->get_description()), value);
    }
  }
  return out;
}

std::string zsh_script(const CLI::App& app) {
  std::string out =
      "#compdef rv\n# zsh completion for rv\n"
      "# Words that rv reads from local files; of a list with commas the last part is completed.\n"
      "_rv_values() {\n  local -a found\n  found=(${(f)\"$(${_rv_program:-rv} --words $1 2>/dev/null)\"})\n"
      "  compset -P '*,'\n  compadd -a found\n}\n"
      "_rv() {\n  local _rv_program=$words[1]\n  local context state state_descr line\n"
      "  typeset -A opt_args\n  local -a commands\n  _arguments -C" +
      zsh_options(app) +
      " \\\n        '1:command:->command' \\\n        '*::argument:->argument' && return\n"
      "  case $state in\n    command)\n      commands=(\n";
  for (const CLI::App* command : commands_of(app)) {
    out += fmt::format("        '{}:{}'\n", command->get_name(), zsh_text(command->get_description()));
  }
  out += "      )\n      _describe command commands\n      ;;\n    argument)\n      case $words[1] in\n";
  for (const CLI::App* command : commands_of(app)) {
    std::string rest;
    if (takes_user_command(*command)) {
      rest = " \\\n        '(-)1:command:_command_names -e' \\\n        '*::argument:_normal'";
    } else if (const auto choices = choices_of(*command)) {
      rest = fmt::format(" \\\n        '{}:{}:{}'", choices->values.front() == '@' ? "*" : "1", choices->of,
                         zsh_values(choices->values));
    }
    out += fmt::format("      {})\n        _arguments -s{}{}\n        ;;\n", command->get_name(), zsh_options(*command),
                       rest);
  }
  out +=
      "      esac\n      ;;\n  esac\n}\n"
      "if [[ $funcstack[1] == _rv ]]; then _rv \"$@\"; else compdef _rv rv; fi\n";
  return out;
}

// ---- fish

std::string fish_text(const std::string& text) {
  return replaced(replaced(text, "\\", "\\\\"), "'", "\\'");
}

std::string fish_values(const std::string& values) {
  if (values.front() != '@') return replaced(values, "|", " ");
  return fmt::format("(__fish_complete_list , \"rv --words {} 2>/dev/null\")", values.substr(1));
}

std::string fish_options(const CLI::App& app, const std::string& condition) {
  std::string out;
  for (const CLI::Option* option : options_of(app)) {
    out += fmt::format("complete -c rv -n '{}'", condition);
    for (const std::string& name : option->get_snames()) out += " -s " + name;
    for (const std::string& name : option->get_lnames()) out += " -l " + name;
    if (takes_value(*option)) out += takes_file(*option) ? " -r -F" : " -x";
    const auto values = takes_value(*option) ? values_of(*option) : "";
    if (!values.empty()) out += fmt::format(" -a '{}'", fish_values(values));
    out += fmt::format(" -d '{}'\n", fish_text(option->get_description()));
  }
  return out;
}

std::string fish_script(const CLI::App& app) {
  std::string out = "# fish completion for rv\ncomplete -c rv -f\n" + fish_options(app, "__fish_use_subcommand");
  for (const CLI::App* command : commands_of(app)) {
    out += fmt::format("complete -c rv -n __fish_use_subcommand -a {} -d '{}'\n", command->get_name(),
                       fish_text(command->get_description()));
  }
  for (const CLI::App* command : commands_of(app)) {
    const std::string condition = "__fish_seen_subcommand_from " + command->get_name();
    out += fish_options(*command, condition);
    if (takes_user_command(*command)) {
      out += fmt::format("complete -c rv -n '{}' -a '(__fish_complete_subcommand --fcs-skip=2)'\n", condition);
    }
    if (const auto choices = choices_of(*command)) {
      out += fmt::format("complete -c rv -n '{}' -a '{}'\n", condition, fish_values(choices->values));
    }
  }
  return out;
}

}  // namespace

std::optional<std::string> completion_script(const CLI::App& app, std::string_view shell) {
  if (shell == "bash") return bash_script(app);
  if (shell == "zsh") return zsh_script(app);
  if (shell == "fish") return fish_script(app);
  return std::nullopt;
}

}  // namespace rv::cli
