#include "cli/map/task_values.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/documents/parse_document.h"
#include "base/error.h"
#include "monitor/tasks/task_list.h"
#include "shared/documents/json_dump.h"

namespace rv::cli {
namespace {

/// MAX_ARG_STRLEN of Linux (execve(2)), less the NUL.
constexpr std::size_t longest_argument = (std::size_t{128} << 10) - 1;

Error refused(const std::string& message, std::string advice) {
  return {message, std::move(advice), ExitCode::usage};
}

std::string place_of(const std::string& source, std::size_t number) {
  return source.empty() ? fmt::format("task {}", number) : fmt::format("{}: line {}", source, number);
}

void check_fields(const std::vector<std::string>& names, const std::optional<Fields>& fields,
                  const std::string& place) {
  if (!fields) {
    throw refused(
        fmt::format("{} is not a JSON object, and the command has {{{}}}", place, names.front()),
        fmt::format(R"(write it like {{"{0}": "a"}}; for the text {{{0}}} write {{{{{0}}}}})", names.front()));
  }
  for (const auto& name : names) {
    if (fields->contains(name)) continue;
    throw refused(fmt::format("{} has no member \"{}\", and the command has {{{}}}", place, name, name),
                  fmt::format("add it to the line; for the text {{{0}}} write {{{{{0}}}}}", name));
  }
}

}  // namespace

std::vector<std::string> lines_of(std::string_view text, const std::string& source) {
  std::vector<std::string> values;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const auto end = text.find('\n');
    auto line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.size() > longest_value) {
      throw refused(fmt::format("{}: line {} is longer than 1 MiB", source, number),
                    "a task is one line; put long input into a file and its name into the list");
    }
    if (line.find('\0') != std::string_view::npos) {
      throw refused(fmt::format("{}: line {} has a NUL byte, which no argument can have", source, number),
                    "the list is a text file with one task per line");
    }
    values.emplace_back(line);
  }
  return values;
}

std::optional<Fields> fields_of(const std::string& value) {
  const auto json = parse_json_or_discard<nlohmann::json>(value);
  if (!json.is_object()) return std::nullopt;
  Fields fields;
  for (const auto& [name, member] : json.items()) fields[name] = json_plain(member);
  return fields;
}

void check_tasks(const std::vector<std::string>& command, const std::vector<std::string>& values,
                 const std::string& source) {
  const auto names = named_placeholders(command);
  std::size_t count = 0;
  for (std::size_t number = 1; number <= values.size(); ++number) {
    const auto& value = values[number - 1];
    if (value.empty() && !source.empty()) continue;
    if (++count > monitor::most_tasks) {
      throw refused(fmt::format("the list has more than {} tasks", monitor::most_tasks), "split it into several runs");
    }
    const auto place = place_of(source, number);
    auto fields = names.empty() ? std::optional<Fields>(Fields()) : fields_of(value);
    if (!names.empty()) check_fields(names, fields, place);
    for (const auto& word : filled_command(command, value, static_cast<int>(number), *fields)) {
      if (word.size() > longest_argument) {
        throw refused(fmt::format("{} makes an argument of {} bytes; Linux accepts 131071", place, word.size()),
                      "put long input into a file and its name into the list");
      }
      if (word.find('\0') != std::string::npos) {
        throw refused(fmt::format("{} has a NUL character, which no argument can have", place),
                      "remove \\u0000 from its JSON");
      }
    }
  }
  if (count > 0) return;
  throw refused(source.empty() ? "there are no tasks after :::" : fmt::format("{} has no tasks", source),
                "write one task per line, for -a FILE or stdin, or the values after :::");
}

}  // namespace rv::cli
