#include "cli/project/dependencies.h"

#include <doctest/doctest.h>

#include <map>
#include <set>

#include "base/error.h"
#include "cli/project/environment_name.h"
#include "cli/project/pyproject.h"
#include "cli/project/recipe.h"

namespace rv::project {
namespace {

using Words = std::vector<std::string>;

ProjectFolder folder_with(const std::map<std::string, std::string>& files, const std::set<std::string>& programs = {},
                          const std::set<std::string>& folders = {}) {
  ProjectFolder folder{.path = "/p", .names = {}, .read = {}, .runs = {}, .is_folder = {}};
  for (const auto& [name, text] : files) folder.names.push_back(name);
  folder.read = [files](const std::string& path) -> std::optional<std::string> {
    const auto found = files.find(path);
    if (found == files.end()) return std::nullopt;
    return found->second;
  };
  folder.runs = [programs](const std::string& path) { return programs.contains(path); };
  folder.is_folder = [folders](const std::string& path) { return folders.contains(path); };
  return folder;
}

const std::string package_text = "[build-system]\nrequires = []\n[project]\nname = \"x\"\ndependencies = [\"numpy\"]\n";

Dependencies found(const std::map<std::string, std::string>& files, const EnvironmentChoice& choice = {},
                   const std::set<std::string>& programs = {}, const std::set<std::string>& folders = {}) {
  return find_dependencies(folder_with(files, programs, folders), choice);
}

std::string fault(const std::map<std::string, std::string>& files, const EnvironmentChoice& choice = {},
                  const std::set<std::string>& folders = {}) {
  try {
    found(files, choice, {}, folders);
  } catch (const Error& error) {
    CHECK(error.code() == ExitCode::usage);
    return error.what();
  }
  return "";
}

EnvironmentChoice from(const Words& names) {
  EnvironmentChoice choice;
  choice.from = names;
  return choice;
}

std::string lines_of(const Recipe& recipe) {
  std::string text;
  for (const auto& step : recipe.steps) {
    for (const auto& word : step.argv) text += (word == step.argv.front() ? "" : " ") + word;
    text += "\n";
  }
  return text;
}

const Tools all_tools{"/b/uv", "/b/micromamba", "/b/pixi"};

}  // namespace

TEST_CASE("the most specific dependency file of a folder is used") {
  CHECK(found({{"train.py", ""}}).nothing());
  CHECK(found({{"requirements.txt", "numpy\n"}, {"uv.lock", ""}}).kind == Kind::uv_lock);
  CHECK(found({{"environment.yml", ""}, {"pixi.lock", ""}, {"pixi.toml", ""}}).files ==
        Words{"pixi.lock", "pixi.toml"});
  CHECK(found({{"environment.yml", ""}, {"requirements.txt", "a\n"}}).kind == Kind::conda);
  CHECK(found({{"requirements.txt", "numpy\n"}, {"pyproject.toml", package_text}}).kind == Kind::requirements);
  CHECK(found({{"requirements-gpu.txt", "numpy\n"}}).files == Words{"requirements-gpu.txt"});
  CHECK(found({{"pyproject.toml", package_text}}).kind == Kind::package);
  CHECK(found({{"setup.py", ""}}).files == Words{"setup.py"});
  CHECK(found({{"requirements.txt", "a\n"}}, {}, {".venv/bin/python"}).kind == Kind::own);
}

TEST_CASE("files without dependencies give no environment") {
  CHECK(found({{"pyproject.toml", "[tool.ruff]\nline-length = 100\n"}}).nothing());
  CHECK(found({{"pyproject.toml", "[project]\nname = \"x\"\ndependencies = []\n"}}).nothing());
  CHECK(found({{"requirements.txt", "# none\n"}}).nothing());
  EnvironmentChoice none;
  none.none = true;
  CHECK(found({{"requirements.txt", "a\n"}}, none).nothing());
}

TEST_CASE("a package's own modules are imported from the project's files") {
  CHECK(found({{"pyproject.toml", package_text}}).imports == Words{"."});
  CHECK(found({{"pyproject.toml", package_text}}, {}, {}, {"src"}).imports == Words{"src"});
  CHECK(found({{"uv.lock", ""}, {"pyproject.toml", "[project]\nname = \"x\"\n"}}).imports.empty());
  const auto editable =
      found({{"requirements.txt", "-e ./lib\nnumpy\n"}, {"lib/pyproject.toml", package_text}}, {}, {}, {"lib/src"});
  CHECK(editable.kind == Kind::requirements);
  CHECK(editable.imports == Words{"lib/src"});
  CHECK(editable.files == Words{"requirements.txt", "lib/pyproject.toml"});
}

TEST_CASE("an ambiguous or missing declaration is an error with advice") {
  CHECK(fault({{"requirements-a.txt", "a\n"}, {"requirements-b.txt", "b\n"}}) ==
        "/p has requirements-a.txt, requirements-b.txt, and no requirements.txt");
  CHECK(fault({}, from({"gone.txt"})) == ".rv.yaml: environment: gone.txt does not exist in /p");
  CHECK(fault({}, from({"env"}), {"env"}) ==
        ".rv.yaml: environment: env is not an environment: env/bin/python is missing");
}

TEST_CASE("the project's settings choose") {
  const std::map<std::string, std::string> files{{"requirements.txt", "a\n"}, {"gpu.txt", "b\n"}, {"uv.lock", ""}};
  CHECK(found(files, from({"requirements.txt", "gpu.txt"})).requirements.text("") == "a\nb\n");
  CHECK(found({{"conda/environment-gpu.yml", ""}}, from({"conda/environment-gpu.yml"})).kind == Kind::conda);
  CHECK(found({}, from({"/opt/env"}), {"/opt/env/bin/python"}).own == "/opt/env");
  const auto choice =
      parse_project_settings("environment: {from: a.txt, python: python3.9, setup: [module load x]}\n", "f");
  CHECK(choice.from == Words{"a.txt"});
  CHECK(choice.python == "python3.9");
  CHECK(choice.setup == Words{"module load x"});
  CHECK(parse_project_settings("environment: none\n", "f").none);
  CHECK_THROWS_WITH_AS(parse_project_settings("enviroment: x\n", "f"),
                       doctest::Contains("did you mean \"environment\""), Error);
}

TEST_CASE("pyproject.toml is used if it declares dependencies") {
  CHECK(scan_pyproject("[project]\ndependencies = [\n  \"torch[cuda]\",\n]\n").dependencies);
  CHECK(scan_pyproject("[project]\ndynamic = [\"version\", \"dependencies\"]\n").dependencies);
  CHECK_FALSE(
      scan_pyproject("[project]\ndynamic = [\"version\"]\ndependencies = [\n  # none\n]\nname = \"y\"\n").dependencies);
  CHECK_FALSE(scan_pyproject("[tool.x]\ndependencies = [\"torch\"]\n").dependencies);
  CHECK(scan_pyproject("[build-system]\n").package);
}

TEST_CASE("pip's command lines") {
  const auto needs = found({{"requirements.txt", "-e .\nnumpy\n"}, {"pyproject.toml", package_text}});
  const auto made = recipe(needs, {}, {}, "/s/e/1", "/s");
  CHECK(made.tool == "pip");
  CHECK(lines_of(made) ==
        "python3 -m venv --without-pip /s/e/1/env\n"
        "python3 /s/e/1/add_pip.py /s/e/1/env\n"
        "/s/e/1/env/bin/python /s/e/1/declared_dependencies.py /s/e/1/packages.txt /p\n"
        "/s/e/1/env/bin/python -m pip install -r /s/e/1/requirements.txt -r /s/e/1/packages.txt\n");
  REQUIRE(made.files.size() == 3);
  CHECK(made.files[0].content == "numpy\n");
  CHECK(made.files[1].name == "add_pip.py");
  CHECK(made.files[2].content.starts_with("\"\"\"Writes what packages need"));
  CHECK(made.variables.front() == std::pair<std::string, std::string>("TMPDIR", "/s/e/1/tmp"));
  CHECK(made.caches.front() == std::pair<std::string, std::string>("PIP_CACHE_DIR", "/s/pip"));
}

TEST_CASE("uv's command lines") {
  EnvironmentChoice choice;
  choice.python = "python3.12";
  choice.extras = {"train"};
  CHECK(lines_of(recipe(found({{"requirements.txt", "numpy\n"}}), choice, all_tools, "/s/e/1", "/s")) ==
        "/b/uv venv --python python3.12 /s/e/1/env\n"
        "/b/uv pip install --python /s/e/1/env/bin/python -r /s/e/1/requirements.txt\n");
  CHECK(lines_of(recipe(found({{"pyproject.toml", package_text}}, choice), choice, all_tools, "/s/e/1", "/s")) ==
        "/b/uv venv --python python3.12 /s/e/1/env\n"
        "/b/uv pip install --python /s/e/1/env/bin/python -r /p/pyproject.toml --extra train\n");
  const auto locked =
      recipe(found({{"uv.lock", ""}, {"pyproject.toml", package_text}}), choice, all_tools, "/s/e/1", "/s");
  CHECK(lines_of(locked) ==
        "/b/uv sync --locked --no-install-workspace --project /p --python python3.12 --extra train\n");
  CHECK(locked.variables.front() == std::pair<std::string, std::string>("UV_PROJECT_ENVIRONMENT", "/s/e/1/env"));
}

TEST_CASE("without uv a note says that uv.lock is not used") {
  const auto made = recipe(found({{"uv.lock", ""}, {"pyproject.toml", package_text}}), {}, {}, "/s/e/1", "/s");
  CHECK(made.tool == "pip");
  REQUIRE(made.notes.size() == 1);
  CHECK(made.notes[0] == "uv was not found: pip installs what pyproject.toml allows, not the versions of uv.lock");
}

TEST_CASE("conda's and pixi's command lines") {
  const auto conda = found({{"environment.yml", ""}});
  CHECK(lines_of(recipe(conda, {}, all_tools, "/s/e/1", "/s")) ==
        "/b/micromamba create --yes --prefix /s/e/1/env --file /p/environment.yml\n");
  for (const char* program : {"/b/mamba", "/b/conda"}) {
    Tools tools;
    tools.conda = program;
    CHECK(lines_of(recipe(conda, {}, tools, "/s/e/1", "/s")) ==
          std::string(program) + " env create --prefix /s/e/1/env --file /p/environment.yml\n");
  }
  const auto pixi = recipe(found({{"pixi.lock", ""}, {"pixi.toml", ""}}), {}, all_tools, "/s/e/1", "/s");
  CHECK(lines_of(pixi) ==
        "mkdir -p /s/e/1/pixi\ncp -- /p/pixi.lock /p/pixi.toml /s/e/1/pixi/\n"
        "/b/pixi install --locked --manifest-path /s/e/1/pixi/pixi.toml\n");
  CHECK(pixi.prefix == "pixi/.pixi/envs/default");
  CHECK_THROWS_WITH_AS(recipe(conda, {}, {}, "/s/e/1", "/s"),
                       "environment.yml needs micromamba, mamba or conda, which is not installed on this machine",
                       Error);
}

TEST_CASE("several local packages go to pip, which receives none of their names, and a member of a workspace to uv") {
  const auto two = found({{"requirements.txt", "-e ./a[x]\n-e ./b\n"},
                          {"a/pyproject.toml", "[project]\nname = \"a\"\ndependencies = [\"b\", \"numpy\"]\n"},
                          {"b/pyproject.toml", package_text}});
  const auto made = recipe(two, {}, all_tools, "/s/e/1", "/s");
  CHECK(made.tool == "pip");
  CHECK(lines_of(made).find("declared_dependencies.py /s/e/1/packages.txt /p/a[x] /p/b\n") != std::string::npos);
  auto member = found({{"uv.lock", ""}, {"pyproject.toml", package_text}});
  member.member = "app";
  EnvironmentChoice choice;
  choice.groups = {"train"};
  CHECK(lines_of(recipe(member, choice, all_tools, "/s/e/1", "/s")) ==
        "/b/uv sync --locked --no-install-workspace --project /p --package app --group train\n");
}

TEST_CASE("a lock of conda's goes to the tool that reads it, or the environment.yml beside it") {
  const auto lock = found({{"conda-lock.yml", ""}, {"environment.yml", ""}});
  CHECK(lines_of(recipe(lock, {}, all_tools, "/s/e/1", "/s")) ==
        "/b/micromamba create --yes --prefix /s/e/1/env --file /p/conda-lock.yml\n");
  Tools tools;
  tools.conda = "/b/conda";
  const auto by_conda = recipe(lock, {}, tools, "/s/e/1", "/s");
  CHECK(lines_of(by_conda) == "/b/conda env create --prefix /s/e/1/env --file /p/environment.yml\n");
  CHECK(by_conda.notes.size() == 1);
  CHECK_THROWS_WITH_AS(recipe(found({{"conda-lock.yml", ""}}), {}, tools, "/s/e/1", "/s"),
                       "conda-lock.yml needs micromamba, which is not installed on this machine", Error);
  CHECK(lines_of(recipe(found({{"conda-linux-64.lock", ""}}), {}, tools, "/s/e/1", "/s")) ==
        "/b/conda create --yes --prefix /s/e/1/env --file /p/conda-linux-64.lock\n");
  CHECK(lines_of(recipe(found({{"pixi.toml", ""}}), {}, all_tools, "/s/e/1", "/s"))
            .ends_with("/b/pixi install --manifest-path /s/e/1/pixi/pixi.toml\n"));
}

TEST_CASE("an environment's name depends only on its content") {
  const std::map<std::string, std::string> files{{"requirements.txt", "-r base.txt\n-c limits.txt\n./x.whl\n"},
                                                 {"base.txt", "numpy\n"},
                                                 {"limits.txt", "numpy<2\n"}};
  const Machine machine{"python3 3.11", "x86_64", "cuda/12", ""};
  const auto name = [](const std::map<std::string, std::string>& with, const Machine& on, const Words& setup = {},
                       const EnvironmentChoice& choice = {}, const std::string& wheel = "1") {
    const auto folder = folder_with(with);
    return environment_name(find_dependencies(folder, choice), choice, setup, on, folder.read,
                            [&](const std::string&) { return wheel; });
  };
  const std::string first = name(files, machine);
  CHECK(first.size() == 16);
  CHECK(name(files, machine) == first);
  auto more = files;
  more["train.py"] = "print()";
  CHECK(name(more, machine) == first);
  for (const char* changed : {"base.txt", "limits.txt", "requirements.txt"}) {
    auto other = files;
    other[changed] += "six\n";
    CHECK(name(other, machine) != first);
  }
  CHECK(name(files, {"python3 3.12", "x86_64", "cuda/12", ""}) != first);
  CHECK(name(files, {"python3 3.11", "aarch64", "cuda/12", ""}) != first);
  CHECK(name(files, {"python3 3.11", "x86_64", "cuda/11", ""}) != first);
  CHECK(name(files, machine, {"module load gcc"}) != first);
  EnvironmentChoice extras;
  extras.extras = {"train"};
  CHECK(name(files, machine, {}, extras) != first);
  CHECK(name(files, machine, {}, {}, "2") != first);
}

}  // namespace rv::project
