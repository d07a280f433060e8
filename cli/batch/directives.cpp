#include "cli/batch/directives.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <functional>
#include <optional>
#include <stdexcept>

#include "base/did_you_mean.h"
#include "base/error.h"
#include "base/text.h"

namespace rv::cli {
namespace {

using planner::SbatchOption;
using planner::SbatchValue;

constexpr std::string_view blanks = " \t\r\v\f\n";
constexpr std::string_view magic = "#SBATCH";

bool is_blank(char c) {
  return blanks.find(c) != std::string_view::npos;
}

/// Calls `each(number, text behind "#SBATCH")` for the lines that sbatch reads, until it returns false.
void for_each_directive(std::string_view script, const std::function<bool(int, std::string_view)>& each) {
  int number = 0;
  while (!script.empty()) {
    const auto end = std::min(script.find('\n'), script.size());
    const auto line = script.substr(0, end);
    script.remove_prefix(std::min(end + 1, script.size()));
    ++number;
    if (line.starts_with(magic)) {
      if (!each(number, line.substr(magic.size()))) return;
      continue;
    }
    const auto first = line.find_first_not_of(blanks);
    if (first != std::string_view::npos && line[first] != '#') return;  // the first command
  }
}

bool separates_components(std::string_view line) {
  const auto first = line.find_first_not_of(blanks);
  if (first == std::string_view::npos) return false;
  const auto word = lower(line.substr(first, line.find_first_of(blanks, first) - first));
  return word == "hetjob" || word == "packjob";
}

/// Reads the arguments as getopt_long() does: all lines together are one command line.
class Reader {
 public:
  explicit Reader(const std::string& name) : name_(name) {}

  void line(int number, std::string_view text) {
    number_ = number;
    if (separates_components(text)) {
      refuse("a heterogeneous job is several jobs, and rv plans one", "submit it with sbatch");
    }
    try {
      for (const auto& argument : directive_arguments(text)) take(argument);
    } catch (const std::invalid_argument& quote) {
      refuse(fmt::format("the quote {} has no end", quote.what()), "close the quote, or remove it");
    }
  }

  std::vector<Directive> finish() {
    if (waiting_) refuse_missing();
    return std::move(directives_);
  }

 private:
  [[noreturn]] void refuse(const std::string& message, const std::string& advice) const {
    throw Error(fmt::format("{}:{}: {}", name_, number_, message), advice, ExitCode::usage);
  }

  [[noreturn]] void refuse_missing() const {
    throw Error(fmt::format("{}:{}: {} needs a value", name_, directives_.back().line, directives_.back().typed),
                fmt::format("write #SBATCH --{}=VALUE", directives_.back().option->name), ExitCode::usage);
  }

  void take(const std::string& argument) {
    if (waiting_) {
      auto& last = directives_.back();
      last.value = argument;
      last.has_value = true;
      last.typed += " " + argument;
      waiting_ = false;
    } else if (argument.starts_with("--") && argument.size() > 2) {
      take_long(argument);
    } else if (argument.starts_with("-") && argument.size() > 1 && argument != "--") {
      take_short(argument);
    } else {
      refuse(fmt::format("\"{}\" is not an option", one_line(argument)),
             "a #SBATCH line has only options: quote a value with blanks, and put # before a comment");
    }
  }

  void take_long(const std::string& argument) {
    const auto equals = argument.find('=');
    const auto name = argument.substr(2, equals == std::string::npos ? equals : equals - 2);
    const auto names = planner::sbatch_names_from(name);
    if (names.size() != 1) {
      const auto near = names.empty() ? suggestion(name, planner::sbatch_option_names(), "--")
                                      : fmt::format("; it has --{}", fmt::join(names, ", --"));
      refuse(fmt::format("sbatch has no option --{}{}", one_line(name), near),
             "correct it; an option of a site's plugin is written rv run --sbatch KEY=VALUE");
    }
    const auto* option = planner::find_sbatch_option(names.front());
    const bool has_value = equals != std::string::npos;
    if (has_value && option->value == SbatchValue::none) {
      refuse(fmt::format("--{} takes no value", option->name), fmt::format("write #SBATCH --{}", option->name));
    }
    add(*option, has_value ? std::optional(argument.substr(equals + 1)) : std::nullopt, argument);
  }

  void take_short(const std::string& argument) {
    for (std::size_t i = 1; i < argument.size(); ++i) {
      const auto* option = planner::find_sbatch_option(argument[i]);
      if (option == nullptr) {
        refuse(fmt::format("sbatch has no option -{}", one_line(argument.substr(i, 1))), "see sbatch --help");
      }
      const std::string rest = argument.substr(i + 1);
      const std::string typed = fmt::format("-{}", argument[i]);
      if (option->value == SbatchValue::none) {
        add(*option, std::nullopt, typed);
        continue;
      }
      add(*option, rest.empty() ? std::nullopt : std::optional(rest), typed + rest);
      return;
    }
  }

  void add(const SbatchOption& option, const std::optional<std::string>& value, const std::string& typed) {
    directives_.push_back({.line = number_,
                           .option = &option,
                           .has_value = value.has_value(),
                           .value = value.value_or(""),
                           .typed = typed});
    waiting_ = !value && option.value == SbatchValue::required;
  }

  const std::string& name_;
  int number_ = 0;
  bool waiting_ = false;  // the last option's value is the next argument
  std::vector<Directive> directives_;
};

}  // namespace

std::vector<std::string> directive_arguments(std::string_view line) {
  std::vector<std::string> arguments;
  std::size_t at = 0;
  while (true) {
    while (at < line.size() && is_blank(line[at])) ++at;
    std::optional<std::string> argument;
    char quote = 0;
    for (; at < line.size() && (quote != 0 || !is_blank(line[at])); ++at) {
      const char c = line[at];
      if (c == '\\') {
        if (at + 1 < line.size()) argument = argument.value_or("") + line[++at];
      } else if (quote != 0 && c == quote) {
        quote = 0;
      } else if (quote == 0 && (c == '"' || c == '\'')) {
        quote = c;
      } else if (quote == 0 && c == '#') {
        break;
      } else {
        argument = argument.value_or("") + c;
      }
    }
    if (quote != 0) throw std::invalid_argument(std::string(1, quote));
    // As in sbatch, an empty pair of quotes or a comment ends the line.
    if (!argument) return arguments;
    arguments.push_back(std::move(*argument));
  }
}

bool has_directives(std::string_view script) {
  bool found = false;
  for_each_directive(script, [&](int /*number*/, std::string_view /*text*/) {
    found = true;
    return false;
  });
  return found;
}

std::vector<Directive> parse_directives(std::string_view script, const std::string& name) {
  Reader reader(name);
  for_each_directive(script, [&](int number, std::string_view text) {
    reader.line(number, text);
    return true;
  });
  return reader.finish();
}

}  // namespace rv::cli
