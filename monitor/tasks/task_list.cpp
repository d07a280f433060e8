#include "monitor/tasks/task_list.h"

#include <unistd.h>

#include <nlohmann/json.hpp>
#include <string_view>

#include "base/documents/parse_document.h"
#include "base/error.h"
#include "base/os/atomic_file.h"
#include "monitor/tasks/task_numbers.h"
#include "shared/documents/json_dump.h"
#include "shared/documents/json_integer.h"

namespace rv::monitor {
namespace {

using nlohmann::ordered_json;

std::string list_path(const std::string& run_folder) {
  return run_folder + "/map/list.json";
}

/// Words as bytes, each ended by NUL: JSON can't hold bytes that are not UTF-8.
std::string words_path(const std::string& run_folder, std::string_view name) {
  return std::string(run_folder).append("/map/").append(name);
}

std::vector<std::string> split_words(std::string_view text) {
  std::vector<std::string> words;
  while (!text.empty()) {
    const auto end = text.find('\0');
    words.emplace_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return words;
}

void write_words(const std::string& path, const std::vector<std::string>& words) {
  std::string text;
  for (const auto& word : words) text.append(word).push_back('\0');
  os::write_file(path, text);
}

std::vector<std::string> read_words(const std::string& path) {
  const auto text = os::read_file(path);
  if (!text) throw Error(path + " is missing", "it was removed or not copied: start the tasks again with rv map");
  return split_words(*text);
}

TaskList parse_list(const std::string& text, const std::string& path) {
  const auto json = parse_json<ordered_json>(text, path);
  TaskList list;
  list.named = json.at("named").get<bool>();
  list.per_gpu = integer_at<int>(json, "per_gpu");
  list.gpus_per_task = integer_at<int>(json, "gpus_per_task");
  list.cpus_per_task = integer_at<int>(json, "cpus_per_task");
  list.retries = integer_at<int>(json, "retries");
  list.keeps_threads = json.at("keeps_threads").get<bool>();
  list.resumes = json.at("resumes").get<std::string>();
  const auto numbers = numbers_in(json.at("numbers").get<std::string>(), most_tasks);
  if (!numbers) throw Error(path + " has no valid list of tasks", "start the tasks again with rv map");
  list.numbers = *numbers;
  return list;
}

}  // namespace

void write_task_list(const std::string& run_folder, const TaskList& list) {
  os::make_folder(run_folder + "/map");
  for (const char* name : {"claims", "journal", "output"}) {
    os::make_folder(std::string(run_folder).append("/map/").append(name));
  }
  write_words(words_path(run_folder, "command"), list.command);
  write_words(words_path(run_folder, "options"), list.options);
  write_words(words_path(run_folder, "values"), list.values);
  const ordered_json json = {{"format", "rv-map"},
                             {"version", 1},
                             {"named", list.named},
                             {"per_gpu", list.per_gpu},
                             {"gpus_per_task", list.gpus_per_task},
                             {"cpus_per_task", list.cpus_per_task},
                             {"retries", list.retries},
                             {"keeps_threads", list.keeps_threads},
                             {"numbers", numbers_text(list.numbers)},
                             {"resumes", list.resumes}};
  os::write_file(list_path(run_folder), json_dump(json, 2) + "\n");
}

bool has_tasks(const std::string& run_folder) {
  return ::access(list_path(run_folder).c_str(), F_OK) == 0;
}

std::optional<TaskList> read_task_list(const std::string& run_folder) {
  const auto path = list_path(run_folder);
  const auto text = os::read_file(path);
  if (!text) return std::nullopt;
  try {
    auto list = parse_list(*text, path);
    list.command = read_words(words_path(run_folder, "command"));
    list.options = read_words(words_path(run_folder, "options"));
    list.values = read_words(words_path(run_folder, "values"));
    if (list.numbers.empty() || list.numbers.back() > list.count()) {
      throw Error(words_path(run_folder, "values") + " has fewer tasks than list.json names",
                  "it was damaged: start the tasks again with rv map");
    }
    return list;
  } catch (const nlohmann::json::exception&) {
    throw Error(path + " is damaged", "start the tasks again with rv map");
  }
}

}  // namespace rv::monitor
