// dependencies.yaml: projects of the field.
#include "cli/project/dependencies.h"

#include <doctest/doctest.h>
#include <yaml-cpp/yaml.h>

#include <map>
#include <string>
#include <vector>

#include "base/error.h"
#include "cli/project/environment_name.h"
#include "cli/project/recipe.h"
#include "tests/source_tree.h"

namespace rv::project {
namespace {

using Texts = std::vector<std::string>;
using Files = std::map<std::string, std::string>;

Texts texts(const YAML::Node& node) {
  return node ? node.as<Texts>() : Texts();
}

std::string text(const YAML::Node& node) {
  return node ? node.as<std::string>() : "";
}

Files files_of(const YAML::Node& row) {
  Files files;
  for (const auto& file : row["files"]) files[file.first.as<std::string>()] = file.second.as<std::string>();
  return files;
}

ProjectFolder folder_with(const Files& files) {
  ProjectFolder folder{.path = "/p", .names = {}, .read = {}, .runs = {}, .is_folder = {}};
  for (const auto& [name, content] : files) {
    if (name.find('/') == std::string::npos) folder.names.push_back(name);
  }
  folder.read = [files](const std::string& path) -> std::optional<std::string> {
    const auto found = files.find(path);
    return found == files.end() ? std::nullopt : std::optional(found->second);
  };
  folder.runs = [](const std::string&) { return false; };
  folder.is_folder = [](const std::string&) { return false; };
  return folder;
}

EnvironmentChoice choice_of(const YAML::Node& row) {
  return row["choice"] ? parse_project_settings(text(row["choice"]) + "\n", ".rv.yaml") : EnvironmentChoice{};
}

Dependencies found_in(const YAML::Node& row, const Files& files) {
  const auto folder = folder_with(files);
  const auto choice = choice_of(row);
  if (row["script"]) {
    if (auto found = script_dependencies(folder, text(row["script"]), choice)) return *found;
  }
  if (row["member"]) return member_dependencies(folder, text(row["member"]), choice).value_or(Dependencies{});
  return find_dependencies(folder, choice);
}

/// As this_machine.h stamps folders: by all that is in them.
std::string name_of(const YAML::Node& row, const Files& files) {
  const auto folder = folder_with(files);
  const auto stamp = [&](const std::string& path) {
    std::string all;
    for (const auto& [name, content] : files) {
      if (path == "." || name == path || name.starts_with(path + "/")) all += name + content;
    }
    return all;
  };
  return environment_name(found_in(row, files), choice_of(row), {}, Machine{}, folder.read, stamp);
}

Files changed(Files files, const std::string& name) {
  files[name] += name.ends_with(".txt") ? "\nadded\n" : "\n# changed\n";
  if (name == "Pipfile") files[name] += "[packages.added]\nversion = '*'\n";
  return files;
}

void check_parts(const Texts& found, const Texts& parts) {
  REQUIRE(found.size() == parts.size());
  for (std::size_t i = 0; i < parts.size(); ++i) CHECK_MESSAGE(found[i].find(parts[i]) != std::string::npos, found[i]);
}

std::string commands_of(const Dependencies& found, const EnvironmentChoice& choice) {
  const Tools tools{"/b/uv", "/b/micromamba", "/b/pixi"};
  std::string all;
  for (const auto& step : recipe(found, choice, tools, "/s/e/1", "/s").steps) {
    for (const auto& word : step.argv) all += word + " ";
    all += "\n";
  }
  return all;
}

}  // namespace

TEST_CASE("projects of the field: what declares their dependencies, and which files decide on the environment") {
  for (const auto& row : YAML::LoadFile(in_tree("tests/field/dependencies.yaml"))["rows"]) {
    const auto files = files_of(row);
    std::string names;
    for (const auto& [name, content] : files) names += name + " ";
    CAPTURE(names);
    const auto found = found_in(row, files);
    CHECK(shown(found) == text(row["from"]));
    if (row["lines"]) {
      std::string lines;
      for (const auto& line : texts(row["lines"])) lines += line + "\n";
      CHECK(found.requirements.text("") == lines);
    }
    if (row["imports"]) CHECK(found.imports == texts(row["imports"]));
    check_parts(found.notes, texts(row["notes"]));
    Texts unread;
    for (const auto& one : found.unread) {
      unread.push_back(one.what);
      CHECK(!one.way_out.empty());
    }
    if (!row["member"]) check_parts(unread, texts(row["unread"]));
    const auto name = name_of(row, files);
    for (const auto& file : texts(row["changes"])) CHECK_MESSAGE(name_of(row, changed(files, file)) != name, file);
    for (const auto& file : texts(row["ignores"])) CHECK_MESSAGE(name_of(row, changed(files, file)) == name, file);
    if (!row["recipe"]) continue;
    const auto commands = commands_of(found, choice_of(row));
    CHECK_MESSAGE(commands.find(text(row["recipe"])) != std::string::npos, commands);
  }
}

// https://github.com/ibmm-unibe-ch/TemBERTure/issues/4
TEST_CASE("a line of pip freeze that names a folder of conda's builders is refused") {
  const auto folder = folder_with({{"requirements.txt", "exceptiongroup @ file:///croot/exceptiongroup_1706/work\n"}});
  CHECK_THROWS_WITH_AS(find_dependencies(folder, {}),
                       "requirements.txt names the folder /croot/exceptiongroup_1706/work, which does not exist",
                       Error);
}

TEST_CASE("a list of conda's packages is distinguished from requirements") {
  const auto folder = folder_with({{"requirements-gpu.txt", "numpy=1.26.4=py311h64a7726_0\n"}});
  CHECK(find_dependencies(folder, {}).unread.size() == 1);
  CHECK_THROWS_WITH_AS(
      find_dependencies(folder, parse_project_settings("environment: requirements-gpu.txt\n", ".rv.yaml")),
      ".rv.yaml: environment: requirements-gpu.txt is a list of conda's packages, which pip refuses", Error);
  for (const char* text : {"@EXPLICIT\nhttps://h/x.conda\n", "# platform: linux-64\n\n_libgcc_mutex=0.1=main\n",
                           "numpy=1.26\n", "ca-certificates=2024.2.2=hbcca054_0\n"}) {
    CHECK_MESSAGE(is_conda_list(text), text);
  }
  for (const char* text : {"", "numpy==1.26\n", "numpy>=1.26\n", "numpy~=1.2,!=1.3\n", "numpy===1.2\n", "-r=a.txt\n",
                           "--index-url=https://h/?a=b\n", "x @ https://h/x.whl#sha256=1\n", "git+https://h/x?a=b\n",
                           "torch ; sys_platform=='linux'\n", "numpy\na=b\n"}) {
    CHECK_MESSAGE(!is_conda_list(text), text);
  }
}

}  // namespace rv::project
