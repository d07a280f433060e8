#include "cli/views/help.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
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

bool required(const CLI::Option& positional) {
  return positional.get_required() || positional.get_type_name() == "required";
}

std::string usage(const CLI::App& app) {
  std::string text = "rv " + app.get_name() + " [options]";
  for (const CLI::Option* option : app.get_options()) {
    if (!option->get_positional()) continue;
    std::string name = option->get_name(true);
    if (name == "CMD" || option->get_items_expected_max() > 1) name += "…";
    text += required(*option) ? " " + name : " [" + name + "]";
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

}  // namespace

std::string help_text(const CLI::App& app, int width) {
  std::vector<Group> groups;
  const bool root = app.get_parent() == nullptr;
  if (root) {
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
      if (!command->get_group().empty())
        add_line(groups, command->get_group(), {command->get_name(), command->get_description()});
    }
  }
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_positional()) {
      add_line(groups, "Arguments", {option->get_name(true), option->get_description()});
    }
  }
  // The command's own options come first, those that every command has last.
  const auto place = [](const CLI::Option* option) {
    return option->get_group() == "Options" ? 0 : option->get_group() == "General" ? 2 : 1;
  };
  for (int now = 0; now <= 2; ++now) {
    for (const CLI::Option* option : app.get_options()) {
      if (option->get_positional() || option->get_group().empty() || place(option) != now) continue;
      add_line(groups, option->get_group(), {label(*option), option->get_description()});
    }
  }
  std::string out = root ? wrapped(app.get_description(), width, 0) + "\n\nUsage: rv COMMAND [options]\n"
                         : wrapped(app.get_description(), width, 0) + "\n\nUsage: " + usage(app) + "\n";
  out += text_of(groups, width);
  const std::string footer = app.get_footer();
  if (!footer.empty()) out += "\n" + footer + "\n";
  return out;
}

}  // namespace rv::cli
