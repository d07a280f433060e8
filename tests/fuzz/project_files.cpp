// Reads what a project declares: which files there are, requirements that include each other, pyproject.toml, and what
// a script of it is like. The input is several files; a NUL byte ends each.
#include <map>

#include "cli/project/dependencies.h"
#include "cli/project/environment_name.h"
#include "cli/project/executed_code.h"
#include "cli/project/pyproject.h"
#include "cli/project/script_notes.h"
#include "cli/project/starting.h"
#include "tests/fuzz/target.h"

using namespace rv;
using namespace rv::project;

namespace {

std::map<std::string, std::string> files_of(std::string_view text) {
  std::map<std::string, std::string> files;
  for (const char* name : {"requirements.txt", "base.txt", "pyproject.toml", "setup.py", "environment.yml"}) {
    const auto content = text.substr(0, text.find('\0'));
    if (!content.empty()) files[name] = content;
    text.remove_prefix(std::min(content.size() + 1, text.size()));
  }
  return files;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto text = fuzz::text_of(data, size);
  const auto files = files_of(text);
  const ReadFile read = [&](const std::string& path) -> std::optional<std::string> {
    const auto found = files.find(path);
    return found == files.end() ? std::nullopt : std::optional(found->second);
  };
  ProjectFolder folder{.path = "/project", .names = {}, .read = read, .runs = {}, .is_folder = {}};
  for (const auto& [name, content] : files) folder.names.push_back(name);
  folder.runs = [](const std::string&) { return false; };
  folder.is_folder = [](const std::string& path) { return path == "lib"; };
  fuzz::read_or_refuse([&] {
    const auto found = find_dependencies(folder, {});
    executed_code({}, found.local, read);
    environment_name(found, {}, {}, {}, read, [](const std::string&) { return std::string(); });
  });
  fuzz::read_or_refuse([&] { read_requirements({"requirements.txt"}, read).text("/project"); });
  fuzz::read_or_refuse([&] { scan_pyproject(text); });
  fuzz::read_or_refuse([&] { script_notes(text, {.script = "train.py", .words = {"train.py"}}); });
  const ReadProperties read = [&](const std::string&) {
    return FileProperties{true, false, std::string(text.substr(0, 300))};
  };
  fuzz::read_or_refuse([&] { starting({"bash", "-c", std::string(text)}, true, {}, read); });
  return 0;
}
