#include "cli/views/help.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <utility>
#include <vector>

#include "base/table.h"

namespace rv::cli {

namespace {

using Line = std::pair<std::string, std::string>;  // what is typed, what it means

struct Group {
  std::string title;
  std::vector<Line> lines;
};

void add_line(std::vector<Group>& groups, const std::string& title, Line line) {
  auto group = std::find_if(groups.begin(), groups.end(), [&](const Group& g) { return g.title == title; });
  if (group == groups.end()) group = groups.insert(groups.end(), {title, {}});
  group->lines.push_back(std::move(line));
}

std::string label(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  std::string text = fmt::format("{}{}", option.get_snames().empty() ? "    " : "", fmt::join(names, ", "));
  if (option.get_items_expected_max() > 0) text += " " + option.get_type_name();
  return text;
}

std::string usage(const CLI::App& app) {
  std::string text = "rv " + app.get_name() + " [options]";
  for (const CLI::Option* option : app.get_options()) {
    if (!option->get_positional()) continue;
    text += " " + argument_usage(*option);
  }
  return text;
}

std::string text_of(const std::vector<Group>& groups, int width) {
  constexpr std::size_t widest_label = 30;
  std::size_t labels = 0;
  for (const Group& group : groups) {
    for (const Line& line : group.lines) {
      if (characters(line.first) <= widest_label) labels = std::max(labels, characters(line.first));
    }
  }
  const std::size_t indent = labels + 4;
  std::string out;
  for (const Group& group : groups) {
    out += "\n" + group.title + ":\n";
    for (const auto& [typed, meaning] : group.lines) {
      out += "  " + typed;
      const std::size_t used = characters(typed);
      out += used > labels ? "\n" + std::string(indent, ' ') : std::string(indent - 2 - used, ' ');
      const std::string body = wrapped(meaning, width - static_cast<int>(indent), 0);
      for (const char c : body) {
        out += c;
        if (c == '\n') out.append(indent, ' ');
      }
      out += "\n";
    }
  }
  return out;
}

bool is_named(const CLI::Option& option, std::string_view name) {
  return !name.empty() && option.check_lname(std::string(name));
}

bool is_shown(const CLI::Option& option) {
  return !option.get_positional() && !option.get_group().empty();
}

void add_arguments(std::vector<Group>& groups, const CLI::App& app) {
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_positional()) {
      add_line(groups, "Arguments", {argument_name(*option), option->get_description()});
    }
  }
}

/// Adds the options in `common`, in that order.
void add_common_options(std::vector<Group>& groups, const CLI::App& app, CommonNames common) {
  for (const std::string_view name : common) {
    for (const CLI::Option* option : app.get_options()) {
      if (is_shown(*option) && is_named(*option, name)) {
        add_line(groups, "Common options", {label(*option), option->get_description()});
      }
    }
  }
}

/// Adds the options that `wanted` selects: the command's own first, those that every command has last.
template <class Wanted>
void add_options(std::vector<Group>& groups, const CLI::App& app, Wanted wanted) {
  const auto place = [](const CLI::Option* option) {
    return option->get_group() == "Options" ? 0 : option->get_group() == "General" ? 2 : 1;
  };
  for (int now = 0; now <= 2; ++now) {
    for (const CLI::Option* option : app.get_options()) {
      if (!is_shown(*option) || place(option) != now || !wanted(*option)) continue;
      add_line(groups, option->get_group(), {label(*option), option->get_description()});
    }
  }
}

std::string heading(const CLI::App& app, int width) {
  const bool root = app.get_parent() == nullptr;
  return wrapped(app.get_description(), width, 0) + "\n\nUsage: " + (root ? "rv COMMAND [options]" : usage(app)) + "\n";
}

/// The first three examples that fit one line.
std::string first_examples(const std::string& examples) {
  std::string out;
  int count = 0;
  std::size_t begin = 0;
  while (begin < examples.size() && count < 3) {
    const std::size_t end = std::min(examples.find('\n', begin), examples.size());
    const std::string line = examples.substr(begin, end - begin);
    begin = end + 1;
    if (!line.starts_with("  ") || line.starts_with("   ")) continue;
    out += line + "\n";
    ++count;
  }
  return out;
}

bool is_script(const CLI::Option& positional) {
  return positional.get_type_name() == "script";
}

/// Whether the type name is the usage of several kinds of arguments: "[PORT…] [RUN]".
bool is_usage(const CLI::Option& positional) {
  return positional.get_type_name().starts_with("[");
}

std::string in_capitals(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

}  // namespace

std::string argument_name(const CLI::Option& positional) {
  if (is_script(positional)) return "SCRIPT";
  if (!is_usage(positional)) return in_capitals(positional.get_name(true));
  std::string name = positional.get_type_name();
  std::erase_if(name, [](char c) { return c == '[' || c == ']'; });
  return name;
}

std::string argument_usage(const CLI::Option& positional) {
  if (is_script(positional)) return "[SCRIPT [ARG…]]";
  if (is_usage(positional)) return positional.get_type_name();
  std::string name = argument_name(positional);
  if (name == "CMD" || positional.get_items_expected_max() > 1) name += "…";
  const bool required = positional.get_required() || positional.get_type_name() == "required";
  return required ? name : "[" + name + "]";
}

Footer split_footer(const std::string& footer) {
  const std::string title = "Examples:\n";
  const std::size_t begin = footer.starts_with(title) ? 0 : footer.find("\n" + title);
  if (begin == std::string::npos) return {footer, ""};
  std::string text = footer.substr(0, begin);
  while (text.ends_with('\n')) text.pop_back();
  return {text, footer.substr(footer.find(title, begin) + title.size())};
}

std::string help_text(const CLI::App& app, CommonNames common, int width) {
  std::vector<Group> groups;
  if (app.get_parent() == nullptr) {
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
      if (!command->get_group().empty())
        add_line(groups, command->get_group(), {command->get_name(), command->get_description()});
    }
  }
  add_arguments(groups, app);
  add_common_options(groups, app, common);
  add_options(groups, app, [&](const CLI::Option& option) {
    return std::none_of(common.begin(), common.end(), [&](std::string_view name) { return is_named(option, name); });
  });
  std::string out = heading(app, width) + text_of(groups, width);
  const std::string footer = app.get_footer();
  if (!footer.empty()) out += "\n" + footer + "\n";
  return out;
}

std::string short_help_text(const CLI::App& app, CommonNames common, int width) {
  std::vector<Group> groups;
  const bool root = app.get_parent() == nullptr;
  const bool all = std::all_of(common.begin(), common.end(), [](std::string_view name) { return name.empty(); });
  add_arguments(groups, app);
  if (root) {
    for (const std::string_view name : common) {
      const auto* command = app.get_subcommand(std::string(name));
      add_line(groups, "Common commands", {command->get_name(), command->get_description()});
    }
  } else {
    add_common_options(groups, app, common);
  }
  const auto general = [](const CLI::Option& option) { return option.get_group() == "General"; };
  add_options(groups, app, [&](const CLI::Option& option) { return (all && !root) || general(option); });
  std::string out = heading(app, width);
  const std::string examples = first_examples(split_footer(app.get_footer()).examples);
  if (!examples.empty()) out += "\nExamples:\n" + examples;
  out += text_of(groups, width);
  if (root) return out + "\nrv --help lists all commands, rv COMMAND -h the options of a command.\n";
  return out + fmt::format("\nrv {} --help {}.\n", app.get_name(),
                           all ? "also has notes and more examples" : "lists all options");
}

}  // namespace rv::cli
