#include "cli/options/user_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include "base/did_you_mean.h"
#include "base/error.h"
#include "base/quote.h"
#include "base/wrong_value.h"
#include "cli/options/option_record.h"
#include "cli/project/starting.h"
#include "shared/number.h"

namespace rv::cli {

namespace {

constexpr const char* command_placeholder = "CMD";

bool takes_user_command(const CLI::App& command) {
  return command.get_option_no_throw(command_placeholder) != nullptr;
}

bool takes_value(const CLI::Option& option) {
  return option.get_items_expected_max() > 0;
}

const CLI::Option* find_option(const CLI::App& app, std::string_view dashed) {
  for (const CLI::Option* option : app.get_options()) {
    if (dashed.starts_with("--") && option->check_lname(std::string(dashed.substr(2)))) return option;
    if (dashed.size() == 2 && dashed[1] != '-' && option->check_sname(std::string(dashed.substr(1)))) return option;
  }
  return nullptr;
}

bool is_shell_line(const std::string& word) {
  return word.find_first_of(" \t\n") != std::string::npos && command_argv({word}).size() > 1 &&
         ::access(word.c_str(), F_OK) != 0;
}

/// Options which show that the arguments describe GPUs, and not a script's work.
bool asks_for_gpus(std::span<const std::string> words) {
  return std::any_of(words.begin(), words.end(),
                     [](const std::string& word) { return word == "--time" || word == "--mig"; });
}

/// Compares without the dashes: with them, a short name such as --keep would be near to --seed.
std::string similar_option(const CLI::App& app, std::string_view name) {
  if (!name.starts_with("--")) return "";
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    const auto& own = option->get_lnames();
    names.insert(names.end(), own.begin(), own.end());
  }
  return suggestion(name.substr(2), names, "--");
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(command->get_name());
  }
  return names;
}

/// Separates rv's arguments from those of the user's command before CLI11 parses the former: it would take options
/// behind the command for rv's. One pass from left to right; a step reads one argument and its value.
///
///   1. Before a command's name: general options, then the name.
///   2. Behind it: the command's options, up to the first argument that is not an option, or "--".
///   3. There the user's command begins, where the command takes one, and all that follows is the user's, with one
///      exception. Behind a whole shell line, or a script, options that rv knows are rv's if nothing else stands there
///      (take_options_behind). That is tried on a copy of this walk, which becomes this one only if it succeeds.
///
/// The first error is kept and parsing continues, so that a later --json decides how the error is printed.
class Walk {
 public:
  Walk(const CLI::App& app, std::span<const std::string> words, std::span<const NearestCommand> nearest)
      : root_(app), current_(&app), words_(words), nearest_(nearest) {}

  SplitCommandLine split() {
    while (next_ < words_.size() && step()) {
    }
    return std::move(result_);
  }

 private:
  std::string called() const { return current_ == &root_ ? std::string("rv") : "rv " + current_->get_name(); }
  std::string help_advice() const { return fmt::format("see {} --help", called()); }

  void fault(const std::string& message, std::string advice) {
    if (!result_.fault) result_.fault.emplace(message, std::move(advice), ExitCode::usage);
  }

  std::string suggested_command(const std::string& word) const {
    for (const auto& [other, own] : nearest_) {
      if (word == other) return fmt::format("; did you mean \"{}\"?", own);
    }
    return suggestion(word, command_names(root_));
  }

  /// Reads one argument and its value. False: the rest is not rv's.
  bool step() {
    const std::string& word = words_[next_];
    if (word == "--") return terminator();
    if (word.size() > 2 && word.starts_with("--")) return long_option(word);
    if (word.size() > 1 && word.starts_with("-")) return short_options(word);
    return plain_word(word);
  }

  bool terminator() {
    if (takes_user_command(*current_)) {
      ++next_;
      result_.as_typed = true;
      return take_command();
    }
    for (; next_ < words_.size(); ++next_) result_.words.push_back(words_[next_]);
    return false;
  }

  bool plain_word(const std::string& word) {
    if (current_ == &root_) {
      for (const CLI::App* command : root_.get_subcommands([](const CLI::App*) { return true; })) {
        if (!command->check_name(word)) continue;
        current_ = command;
        result_.command = command;
        seen_.clear();
        result_.words.push_back(word);
        ++next_;
        return true;
      }
      fault(fmt::format("unknown command \"{}\"{}", word, suggested_command(word)), "see rv --help for the commands");
      // The rest can't be read without knowing the command, except for how an error is to be shown.
      const auto rest = words_.subspan(next_);
      result_.json = result_.json || std::find(rest.begin(), rest.end(), "--json") != rest.end();
      return false;
    }
    if (takes_user_command(*current_)) return take_command();
    result_.words.push_back(word);
    ++next_;
    return true;
  }

  /// "--time 2 hours": "hours" would be the command.
  void refuse_time_in_two_words(const std::string& word) {
    constexpr std::array<std::string_view, 8> units = {"h", "hour", "hours", "min", "minute", "minutes", "day", "days"};
    const auto& words = result_.words;
    if (words.size() < 2 || words[words.size() - 2] != "--time" || !number_in<int>(words.back())) return;
    if (std::find(units.begin(), units.end(), word) == units.end()) return;
    fault(fmt::format("--time {} {}: a time is one argument", words.back(), word),
          fmt::format("write --time {}{}", words.back(), word.front()));
  }

  bool take_command() {
    const auto rest = words_.subspan(next_);
    if (!result_.as_typed) refuse_time_in_two_words(rest.front());
    if (!result_.as_typed && rest.size() > 1 && take_options_behind()) return false;
    result_.user_command.assign(rest.begin(), rest.end());
    note_misplaced_options();
    return false;
  }

  /// Reads a shell line or a script and the arguments after it, if those are rv's. Otherwise changes nothing.
  bool take_options_behind() {
    const bool line = is_shell_line(words_[next_]);
    if (!line && !project::program_for(words_[next_])) return false;
    Walk ahead(*this);
    const auto before = static_cast<std::ptrdiff_t>(result_.words.size());
    ++ahead.next_;
    while (ahead.next_ < words_.size()) {
      const std::string& word = words_[ahead.next_];
      if (word.size() < 2 || word.front() != '-' || word == "--") return false;
      ahead.step();
      if (ahead.unknown_option_) return false;
    }
    if (!line && !asks_for_gpus(std::span(ahead.result_.words).subspan(before))) return false;
    const auto behind = words_.subspan(next_ + 1);
    std::string shown;
    for (const std::string& word : behind) shown += " " + quote(word);
    ahead.result_.user_command = {words_[next_]};
    const std::string program = line ? "the shell command" : words_[next_];
    const std::string way_out = line ? "" : fmt::format("; to pass it to {}, write -- before it", program);
    ahead.result_.notes.push_back(fmt::format("note: rv uses {} after {}{}", shown.substr(1), program, way_out));
    result_ = std::move(ahead.result_);
    next_ = ahead.next_;
    return true;
  }

  bool long_option(const std::string& word) {
    const std::size_t equals = word.find('=');
    const std::string typed = word.substr(0, equals);
    const std::string name(current_name(typed));
    ++next_;
    const CLI::Option* option = find_option(*current_, name);
    if (option == nullptr) {
      unknown(typed);
      return true;
    }
    if (name != typed) result_.notes.push_back(fmt::format("note: {} is called {} now", typed, name));
    if (!takes_value(*option)) {
      if (equals != std::string::npos) fault(fmt::format("{} takes no value", name), help_advice());
      flag(*option, name);
      return true;
    }
    // Name and value are passed on as two arguments: the parser would read "--name=" as a name without a value.
    if (equals != std::string::npos) {
      value(*option, name, word.substr(equals + 1));
    } else {
      value_from_next(*option, name);
    }
    return true;
  }

  bool short_options(const std::string& word) {
    ++next_;
    for (std::size_t at = 1; at < word.size(); ++at) {
      const std::string name{'-', word[at]};
      const CLI::Option* option = find_option(*current_, name);
      if (option == nullptr) {
        unknown(at == 1 ? word : name);
        return true;
      }
      if (!takes_value(*option)) {
        flag(*option, name);
        continue;
      }
      if (at + 1 < word.size()) {
        value(*option, name, word.substr(at + 1));
      } else {
        value_from_next(*option, name);
      }
      return true;
    }
    return true;
  }

  void unknown(const std::string& name) {
    unknown_option_ = true;
    std::string where = current_ == &root_ ? "" : fmt::format(" for {}", called());
    if (current_ == &root_ && belongs_to_a_command(name)) {
      fault(fmt::format("{} stands before the command", name), "write it after the command's name: rv CMD " + name);
      return;
    }
    fault(fmt::format("unknown option \"{}\"{}{}", name, where, similar_option(*current_, name)), help_advice());
  }

  bool belongs_to_a_command(const std::string& name) const {
    for (const CLI::App* command : root_.get_subcommands([](const CLI::App*) { return true; })) {
      if (find_option(*command, name) != nullptr) return true;
    }
    return false;
  }

  void flag(const CLI::Option& option, const std::string& name) {
    if (option.check_lname("json")) result_.json = true;
    if (option.check_lname("help")) {
      result_.help = true;
      result_.full_help = result_.full_help || name != "-h";
    }
    if (option.check_lname("version")) result_.version = true;
    if (option.check_lname("licences")) result_.licences = true;
    result_.words.push_back(name);
  }

  void value_from_next(const CLI::Option& option, const std::string& name) {
    if (next_ == words_.size()) {
      fault(fmt::format("{} needs a value", name), help_advice());
      return;
    }
    const std::string& text = words_[next_++];
    value(option, name, text);
  }

  void value(const CLI::Option& option, const std::string& name, const std::string& text) {
    if (text.empty()) {
      const Error wrong = wrong_value(name, text, "a value", help_advice());
      fault(wrong.what(), wrong.advice());
      return;
    }
    const bool repeatable =
        option.get_items_expected_max() > 1 || option.get_multi_option_policy() == CLI::MultiOptionPolicy::TakeAll;
    if (!seen_.insert(&option).second && !repeatable) {
      fault(fmt::format("{} is given twice", name), "give it once");
      return;
    }
    result_.words.push_back(name);
    result_.words.push_back(text);
  }

  /// An argument of the user's command that is spelled like an option of rv was perhaps meant for rv.
  void note_misplaced_options() {
    const std::vector<std::string>& command = result_.user_command;
    if (command.empty() || result_.as_typed) return;  // after "--" all of it is certainly the user's
    for (std::size_t i = 1; i < command.size(); ++i) {
      const std::string& word = command[i];
      if (word == "--") break;
      if (!word.starts_with("-") || word == "-") continue;
      const CLI::Option* option = find_option(*current_, word);
      // Nearly every program has --help, and most single letters mean something to some program (bash -c, python3 -m).
      const bool common = word != "-g" && !word.starts_with("--");
      if (option == nullptr || common || option->check_lname("help") || option->check_lname("verbose")) continue;
      const std::size_t after = std::min(i + (takes_value(*option) ? 2 : 1), command.size());
      const std::span whole(command);
      const auto end = whole.size() - after;
      const std::string moved = quote_all(whole.subspan(i, after - i));
      std::string rest = quote_all(whole.first(i));
      if (end > 0) rest += " " + quote_all(whole.last(end));
      result_.notes.push_back(fmt::format("note: {} after {} is passed to your command; to give it to rv: {} {} {}",
                                          word, command[0], called(), moved, rest));
    }
  }

  const CLI::App& root_;
  const CLI::App* current_;
  std::span<const std::string> words_;
  std::span<const NearestCommand> nearest_;
  std::size_t next_ = 0;
  std::set<const CLI::Option*> seen_;
  bool unknown_option_ = false;
  SplitCommandLine result_;
};

}  // namespace

void add_user_command(CLI::App& command, const std::string& description, bool required) {
  // The parser never fills it; help, completion and the split use it.
  command.add_option(command_placeholder, description)->type_name(required ? "required" : "optional");
}

void add_user_script(CLI::App& command, const std::string& description) {
  command.add_option(command_placeholder, description)->type_name("script");
}

SplitCommandLine split_command(const CLI::App& app, std::span<const std::string> words,
                               std::span<const NearestCommand> nearest) {
  SplitCommandLine line = Walk(app, words, nearest).split();
  if (line.fault || line.help || line.command == nullptr) return line;
  if (!line.user_command.empty()) {
    // For example from an unset variable in rv run "$TRAIN".
    if (line.user_command.front().empty()) {
      line.fault.emplace(fmt::format("rv {}: the command's first word is empty", line.command->get_name()),
                         fmt::format("write the command last: rv {} hostname", line.command->get_name()),
                         ExitCode::usage);
    }
    // sbatch -n 4 hostname
    const auto& first = line.user_command.front();
    const bool number = !first.empty() && first.find_first_not_of("0123456789") == std::string::npos;
    if (number && !line.words.empty() && line.words.back() == "-n") {
      line.fault.emplace(fmt::format("\"{}\" is not a program; -n is --dry-run", first),
                         "for sbatch's -n give --nodes and --procs-per-node", ExitCode::usage);
    }
    return line;
  }
  const CLI::Option* placeholder = line.command->get_option_no_throw(command_placeholder);
  // A recipe can have the command.
  const bool from_file = std::any_of(line.words.begin(), line.words.end(), [](const std::string& word) {
    return word == "--file" || word.starts_with("--file=");
  });
  if (placeholder != nullptr && placeholder->get_type_name() == "required" && !from_file) {
    line.fault.emplace(fmt::format("rv {} needs a command to run", line.command->get_name()),
                       fmt::format("write it last: rv {0} hostname; see rv {0} --help", line.command->get_name()),
                       ExitCode::usage);
  }
  return line;
}

std::vector<std::string> command_argv(const std::vector<std::string>& user_command) {
  if (user_command.size() != 1) return user_command;
  const std::string& word = user_command.front();
  const bool shell = word.find_first_of(" \t\n|&;<>()$`\\\"'*?[]{}~#=!") != std::string::npos;
  if (!shell) return user_command;
  if (word.find('/') != std::string::npos && ::access(word.c_str(), F_OK) == 0) return user_command;
  return {"bash", "-c", word};
}

}  // namespace rv::cli
