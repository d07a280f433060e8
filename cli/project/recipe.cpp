#include "cli/project/recipe.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/embedded_file.h"
#include "base/error.h"
#include "base/text.h"

namespace rv::project {
namespace {

std::string program_name(const std::string& path) {
  return path.substr(path.rfind('/') + 1);
}

Recipe::File script(const std::string& name) {
  const auto files = embedded::project_scripts();
  const auto found = std::find_if(files.begin(), files.end(), [&](const auto& file) { return file.name == name; });
  return {name, std::string(found->text)};
}

std::string absolute(const Dependencies& dependencies, const std::string& path) {
  if (path.starts_with('/')) return path;
  return path == "." ? dependencies.folder : dependencies.folder + "/" + path;
}

class Writer {
 public:
  Writer(const Dependencies& dependencies, const EnvironmentChoice& choice, const Tools& tools, std::string folder)
      : needs_(dependencies), choice_(choice), tools_(tools), folder_(std::move(folder)) {
    made_.prefix = "env";
  }

  Recipe write() && {
    switch (needs_.kind) {
      case Kind::conda:
        conda();
        break;
      case Kind::pixi_lock:
        pixi();
        break;
      case Kind::uv_lock:
        uv_lock();
        break;
      case Kind::none:
      case Kind::own:
        break;
      case Kind::requirements:
      case Kind::package:
        // uv would ask its index for the names of packages that are folders of this project.
        tools_.uv.empty() || needs_.local.size() + needs_.bare.size() > 1 ? pip() : uv();
        break;
    }
    return std::move(made_);
  }

 private:
  std::string env() const { return folder_ + "/env"; }
  std::string python() const { return choice_.python.empty() ? "python3" : choice_.python; }

  void step(std::string what, std::vector<std::string> argv) {
    made_.steps.push_back({std::move(what), std::move(argv)});
  }

  void write_requirements() {
    if (needs_.requirements.lines.empty()) return;
    made_.files.push_back({"requirements.txt", needs_.requirements.text(needs_.folder)});
  }

  void pip() {
    made_.tool = "pip";
    const std::string own_python = env() + "/bin/python";
    step("an empty environment", {python(), "-m", "venv", "--without-pip", env()});
    step("pip", {python(), folder_ + "/add_pip.py", env()});
    write_requirements();
    std::vector<std::string> install{own_python, "-m", "pip", "install"};
    if (!made_.files.empty()) install.insert(install.end(), {"-r", folder_ + "/requirements.txt"});
    made_.files.push_back(script("add_pip.py"));
    if (!needs_.local.empty()) made_.files.push_back(script("declared_dependencies.py"));
    if (!needs_.local.empty()) {
      const std::string list = folder_ + "/packages.txt";
      std::vector<std::string> argv{own_python, folder_ + "/declared_dependencies.py", list};
      for (const auto& package : needs_.local) {
        const auto extras = joined(package.extras);
        argv.push_back(absolute(needs_, package.folder) + (extras.empty() ? "" : "[" + extras + "]"));
      }
      for (const auto& bare : needs_.bare) argv.push_back(absolute(needs_, bare));
      step("what " + shown(needs_) + " declares", argv);
      install.insert(install.end(), {"-r", list});
    }
    step("packages", install);
  }

  void uv() {
    made_.tool = "uv";
    const auto wanted = choice_.python.empty() && !needs_.python.empty() ? needs_.python : python();
    step("an empty environment", {tools_.uv, "venv", "--python", wanted, env()});
    write_requirements();
    std::vector<std::string> install{tools_.uv, "pip", "install", "--python", env() + "/bin/python"};
    if (!made_.files.empty()) install.insert(install.end(), {"-r", folder_ + "/requirements.txt"});
    for (const auto& package : needs_.local) {
      const std::string pyproject = package.folder == "." ? "pyproject.toml" : package.folder + "/pyproject.toml";
      const std::string setup = package.folder == "." ? "setup.py" : package.folder + "/setup.py";
      const char* file = contains(needs_.files, pyproject) ? "/pyproject.toml"
                         : contains(needs_.files, setup)   ? "/setup.py"
                                                           : "/setup.cfg";
      install.insert(install.end(), {"-r", absolute(needs_, package.folder) + file});
      for (const auto& extra : package.extras) install.insert(install.end(), {"--extra", extra});
    }
    step("packages", install);
  }

  void uv_lock() {
    if (tools_.uv.empty()) {
      if (!contains(needs_.files, "pyproject.toml")) no_tool("uv.lock", "uv");
      made_.notes.push_back("uv was not found: pip installs what pyproject.toml allows, not the versions of uv.lock");
      Dependencies declared = needs_;
      declared.kind = Kind::package;
      Recipe by_pip = Writer(declared, choice_, tools_, folder_).write();
      by_pip.notes = made_.notes;
      made_ = std::move(by_pip);
      return;
    }
    made_.tool = "uv";
    std::vector<std::string> argv{tools_.uv, "sync", "--locked", "--no-install-workspace", "--project", needs_.folder};
    if (!choice_.python.empty()) argv.insert(argv.end(), {"--python", choice_.python});
    if (!needs_.member.empty()) argv.insert(argv.end(), {"--package", needs_.member});
    for (const auto& extra : choice_.extras) argv.insert(argv.end(), {"--extra", extra});
    for (const auto& group : choice_.groups) argv.insert(argv.end(), {"--group", group});
    made_.variables.emplace_back("UV_PROJECT_ENVIRONMENT", env());
    step("packages", argv);
  }

  void conda() {
    if (tools_.conda.empty()) no_tool(needs_.files.front(), "micromamba, mamba or conda");
    made_.tool = program_name(tools_.conda);
    made_.conda = true;
    const bool micromamba = made_.tool == "micromamba";
    std::string name = needs_.files.front();
    const bool explicit_list = name.ends_with(".lock");
    if (program_name(name).starts_with("conda-lock") && !micromamba) {
      if (needs_.files.size() < 2) no_tool(name, "micromamba");
      made_.notes.push_back(fmt::format("{} needs micromamba: {} makes it from {}, not at the versions of the lock",
                                        name, made_.tool, needs_.files[1]));
      name = needs_.files[1];
    }
    const std::string file = absolute(needs_, name);
    if (micromamba || explicit_list) {
      step("packages", {tools_.conda, "create", "--yes", "--prefix", env(), "--file", file});
    } else {
      step("packages", {tools_.conda, "env", "create", "--prefix", env(), "--file", file});
    }
    // Older releases of `conda env create` know no --yes.
    made_.variables.emplace_back("CONDA_ALWAYS_YES", "true");
    made_.variables.emplace_back("MAMBA_ALWAYS_YES", "true");
  }

  void pixi() {
    if (tools_.pixi.empty()) no_tool(needs_.files.front(), "pixi");
    made_.tool = "pixi";
    made_.conda = true;
    // pixi installs beside its manifest, so that gets copies of the files.
    made_.prefix = "pixi/.pixi/envs/default";
    const bool own_manifest = contains(needs_.files, "pixi.toml");
    std::vector<std::string> copy{"cp", "--"};
    for (const auto& file : needs_.files) copy.push_back(absolute(needs_, file));
    copy.push_back(folder_ + "/pixi/");
    step("a folder for pixi", {"mkdir", "-p", folder_ + "/pixi"});
    step("copies of the dependency files", copy);
    std::vector<std::string> install{tools_.pixi, "install"};
    if (contains(needs_.files, "pixi.lock")) install.emplace_back("--locked");
    install.insert(install.end(),
                   {"--manifest-path", folder_ + "/pixi/" + (own_manifest ? "pixi.toml" : "pyproject.toml")});
    step("packages", install);
  }

  [[noreturn]] void no_tool(const std::string& file, const std::string& tool) const {
    throw Error(
        fmt::format("{} needs {}, which is not installed on this machine", file, tool),
        fmt::format(
            "install it, or load its module (setup lines), or name other files in {}; --no-deps uses no environment",
            settings_file));
  }

  const Dependencies& needs_;
  const EnvironmentChoice& choice_;
  const Tools& tools_;
  std::string folder_;
  Recipe made_;
};

}  // namespace

Recipe recipe(const Dependencies& dependencies, const EnvironmentChoice& choice, const Tools& tools,
              const std::string& folder, const std::string& scratch) {
  Recipe made = Writer(dependencies, choice, tools, folder).write();
  made.variables.emplace_back("TMPDIR", folder + "/tmp");
  for (const char* name : {"PIP_DISABLE_PIP_VERSION_CHECK", "PIP_NO_INPUT", "PYTHONNOUSERSITE"}) {
    made.variables.emplace_back(name, "1");
  }
  made.caches = {{"PIP_CACHE_DIR", scratch + "/pip"},
                 {"UV_CACHE_DIR", scratch + "/uv"},
                 {"CONDA_PKGS_DIRS", scratch + "/conda"},
                 {"MAMBA_ROOT_PREFIX", scratch + "/micromamba"},
                 {"PIXI_CACHE_DIR", scratch + "/pixi"}};
  // The caller's active environment is not the one that is built.
  made.without = {"VIRTUAL_ENV", "CONDA_PREFIX", "PYTHONHOME", "PYTHONPATH", "PIP_USER", "PIP_TARGET", "PIP_PREFIX"};
  return made;
}

}  // namespace rv::project
