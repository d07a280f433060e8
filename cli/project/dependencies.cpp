#include "cli/project/dependencies.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/text.h"
#include "cli/project/computed_metadata.h"
#include "cli/project/conda_file.h"
#include "cli/project/file_names.h"
#include "cli/project/pipfile.h"
#include "cli/project/pyproject.h"
#include "cli/project/script_block.h"
#include "cli/project/uv_lock.h"

namespace rv::project {
namespace {

class Finder {
 public:
  Finder(const ProjectFolder& folder, const EnvironmentChoice& choice) : folder_(folder), choice_(choice) {
    found_.folder = folder.path;
  }

  Dependencies find() && {
    if (choice_.none) return std::move(found_);
    if (!choice_.from.empty()) {
      chosen();
    } else {
      looked_for();
    }
    if (found_.kind == Kind::none && choice_.from.empty()) {
      const auto more = unread_files(folder_.names, root());
      found_.unread.insert(found_.unread.end(), more.begin(), more.end());
    }
    return std::move(found_);
  }

  Dependencies of_script(const ScriptBlock& block, const std::string& script) && {
    found_.files = {script};
    found_.python = block.python;
    for (const char* name : {"uv.toml"}) also(name);
    also(script + ".lock");
    lines(block.dependencies, script);
    found_.kind = Kind::requirements;
    if (block.text.find("[tool.uv") != std::string::npos) {
      found_.notes.push_back("[tool.uv] in the block of " + script +
                             " is not read: its packages come from the tool's index");
    }
    return std::move(found_);
  }

  std::optional<Dependencies> of_member(const std::string& member) && {
    const auto lock = folder_.read("uv.lock");
    const auto packages = local_packages(lock.value_or(""));
    const auto package = package_in(packages, member);
    if (!package || !package->member) return std::nullopt;
    found_.member = package->name;
    uv_lock("uv.lock");
    return std::move(found_);
  }

 private:
  bool has(std::string_view name) const { return contains(folder_.names, name); }

  Pyproject pyproject_in(const std::string& folder) const {
    const auto text = folder_.read(in(folder, "pyproject.toml"));
    return text ? scan_pyproject(*text) : Pyproject{};
  }
  Pyproject root() const { return pyproject_in("."); }

  void also(const std::string& file) {
    if (!contains(found_.files, file) && !contains(found_.also, file) && folder_.read(file))
      found_.also.push_back(file);
  }

  void looked_for() {
    if (folder_.runs(".venv/bin/python")) return own(".venv");
    if (has("uv.lock")) return uv_lock("uv.lock");
    if (has("pixi.lock")) return files(Kind::pixi_lock, {"pixi.lock", "pixi.toml", "pyproject.toml"});
    for (const char* name :
         {"conda-lock.yml", "conda-lock.yaml", "conda-linux-64.lock", "environment.yml", "environment.yaml"}) {
      if (has(name)) return conda(name);
    }
    if (has("requirements.txt") && !conda_list("requirements.txt")) return requirements({"requirements.txt"});
    std::vector<std::string> others;
    std::copy_if(folder_.names.begin(), folder_.names.end(), std::back_inserter(others),
                 [](const std::string& name) { return is_requirements(name) && name != "requirements.txt"; });
    if (others.size() == 1 && !conda_list(others.front())) return requirements(others);
    if (pipfile()) return;
    const auto pyproject = root();
    if (has("pixi.toml") || (pyproject.pixi && !pyproject.dependencies)) {
      return files(Kind::pixi_lock, {"pixi.toml", "pyproject.toml"});
    }
    if (package(".", choice_.extras, choice_.groups)) return;
    if (others.size() > 1) {
      throw Error(
          fmt::format("{} has {}, and no requirements.txt", folder_.path, listed(others)),
          fmt::format("choose in {}: environment: {}; --no-deps uses no environment", settings_file, others.front()),
          ExitCode::usage);
    }
  }

  void chosen() {
    const std::string& first = choice_.from.front();
    if (choice_.from.size() == 1 && (folder_.is_folder(first) || first.starts_with('/'))) {
      if (!folder_.runs(first + "/bin/python")) {
        throw Error(fmt::format("{}: environment: {} is not an environment: {}/bin/python is missing", settings_file,
                                first, first),
                    "build it again, or name the files that declare the dependencies", ExitCode::usage);
      }
      return own(first);
    }
    for (const auto& file : choice_.from) {
      if (!folder_.read(file)) {
        throw Error(fmt::format("{}: environment: {} does not exist in {}", settings_file, file, folder_.path),
                    "name files from the project's folder", ExitCode::usage);
      }
    }
    const std::string name = base_name(first);
    if (choice_.from.size() > 1) return requirements(choice_.from);
    if (name == "uv.lock") return uv_lock(first);
    if (name == "pixi.lock" || name == "pixi.toml")
      return files(Kind::pixi_lock, {first, "pixi.toml", "pyproject.toml"});
    if (name.ends_with(".yml") || name.ends_with(".yaml") || name.ends_with(".lock")) return conda(first);
    if (name == "pyproject.toml" || name == "setup.py" || name == "setup.cfg") {
      const std::string where = first == name ? "." : first.substr(0, first.rfind('/'));
      package(where, choice_.extras, choice_.groups);
      return;
    }
    requirements(choice_.from);
  }

  /// Notes the file as not read.
  bool conda_list(const std::string& name) {
    if (!is_conda_list(folder_.read(name).value_or(""))) return false;
    found_.unread.push_back(
        {name + ", which is a list of conda's packages",
         "conda create -p env --file " + name + ", and environment: env in " + std::string(settings_file)});
    return true;
  }

  void own(const std::string& path) {
    found_.kind = Kind::own;
    found_.own = path;
    found_.files = {path};
  }

  void files(Kind kind, const std::vector<std::string>& names) {
    found_.kind = kind;
    for (const auto& file : names) {
      if (folder_.read(file) && !contains(found_.files, file)) found_.files.push_back(file);
    }
    import_own(".");
  }

  /// What the lock has of the project itself: the code of members is imported, of other folders a copy is installed.
  void uv_lock(const std::string& file) {
    found_.kind = Kind::uv_lock;
    for (const auto& one : {file, std::string("pyproject.toml"), std::string(".python-version")}) {
      if (folder_.read(one)) found_.files.push_back(one);
    }
    also("uv.toml");
    const auto packages = local_packages(folder_.read(file).value_or(""));
    const auto at_root = package_in(packages, ".");
    const auto wanted = !found_.member.empty() ? found_.member : at_root ? at_root->name : "";
    if (found_.member.empty()) import_own(".");
    for (const auto& one : needed_by(packages, wanted)) {
      if (!one.member) {
        found_.trees.push_back(one.folder);
        continue;
      }
      found_.local.push_back(
          {one.folder, one.folder == "." || one.name == wanted ? choice_.extras : std::vector<std::string>(), true});
      for (const char* name : {"pyproject.toml", "setup.py", "setup.cfg"}) also(in(one.folder, name));
      import_own(one.folder);
    }
    if (found_.local.empty()) found_.local = {{".", choice_.extras, true}};
  }

  void conda(const std::string& file) {
    found_.kind = Kind::conda;
    found_.files = {file};
    const bool lock = file.ends_with(".lock") || base_name(file).starts_with("conda-lock");
    if (lock) {
      // Another tool of conda's makes it of this, if it can't read the lock.
      for (const char* name : {"environment.yml", "environment.yaml"}) {
        if (has(name)) found_.files.push_back(name);
      }
    }
    for (const auto& yaml : found_.files) {
      if (lock && yaml == file) continue;
      const auto pip = read_requirement_lines(pip_lines(*folder_.read(yaml), yaml), yaml, folder_.read);
      for (const auto& package : pip.local) {
        metadata(package.folder);
        if (!package.editable && !contains(found_.trees, package.folder)) found_.trees.push_back(package.folder);
      }
      note_addresses(pip);
      found_.requirements = pip;
    }
    import_own(".");
  }

  void note_addresses(const Requirements& read) {
    for (const auto& address : read.addresses) {
      found_.notes.push_back(address + " is elsewhere: when it changes, rv deps rebuild makes the environment again");
    }
  }

  void requirements(const std::vector<std::string>& names) {
    for (const auto& name : names) {
      if (conda_list(name)) {
        throw Error(
            fmt::format("{}: environment: {} is a list of conda's packages, which pip refuses", settings_file, name),
            found_.unread.back().way_out, ExitCode::usage);
      }
    }
    found_.files = names;
    take(read_requirements(names, folder_.read));
    for (const auto& limits : found_.requirements.constraints) found_.files.push_back(limits);
    if (!choice_.groups.empty())
      found_.notes.push_back("the groups in .rv.yaml belong to pyproject.toml, which is not used");
  }

  /// Lines that stand in `file`, which is not a requirements file.
  void lines(const std::vector<std::string>& all, const std::string& file) {
    take(read_requirement_lines(all, file, folder_.read));
  }

  void take(Requirements read) {
    found_.requirements = std::move(read);
    note_addresses(found_.requirements);
    uv_settings();
    found_.kind = found_.requirements.empty() ? Kind::none : Kind::requirements;
    const auto local = found_.requirements.local;
    for (const auto& one : local) {
      if (one.folder.starts_with('/') && !folder_.is_folder(one.folder)) {
        throw Error(fmt::format("{} names the folder {}, which does not exist", shown(found_), one.folder),
                    "pip freeze writes such lines in an environment of conda's: pip list --format=freeze writes the "
                    "versions instead",
                    ExitCode::usage);
      }
      if (!package(one.folder, one.extras, {})) bare_package(one.folder);
    }
    if (!found_.requirements.empty()) found_.kind = Kind::requirements;
    if (local.empty()) import_own(".");
  }

  /// uv reads indexes from these files, independently of what it installs from.
  void uv_settings() {
    also("uv.toml");
    const auto text = folder_.read("pyproject.toml");
    if (text && text->find("tool.uv") != std::string::npos) also("pyproject.toml");
  }

  bool pipfile() {
    for (const char* name : {"Pipfile.lock", "Pipfile"}) {
      const auto text = folder_.read(name);
      if (!text) continue;
      const auto wanted = std::string_view(name) == "Pipfile" ? pipfile_lines(*text) : pipfile_lock_lines(*text);
      if (!wanted) {
        found_.unread.push_back({name, "pipenv requirements >requirements.txt"});
        continue;
      }
      found_.files = {name};
      lines(*wanted, name);
      return true;
    }
    return false;
  }

  /// False: it declares nothing.
  bool package(const std::string& folder, const std::vector<std::string>& extras,
               const std::vector<std::string>& groups) {
    const auto known = [&](const auto& one) { return one.folder == folder; };
    if (std::any_of(found_.local.begin(), found_.local.end(), known)) return true;
    const auto pyproject = pyproject_in(folder);
    const bool setup = folder_.read(in(folder, "setup.py")) || declares_in_setup_cfg(folder);
    const bool has_pyproject = folder_.read(in(folder, "pyproject.toml")).has_value();
    if (!groups.empty() && has_pyproject) return groups_of(folder, pyproject, extras, groups);
    if (!pyproject.dependencies && !setup && extras.empty()) {
      import_own(folder);
      return false;
    }
    if (!has_pyproject && !setup) return false;
    found_.kind = Kind::package;
    found_.local.push_back({folder, extras, true});
    for (const char* name : {"pyproject.toml", "setup.py", "setup.cfg"}) {
      if (folder_.read(in(folder, name))) found_.files.push_back(in(folder, name));
    }
    decided_elsewhere(folder, pyproject);
    if (folder == ".") {
      const auto notes = unread_locks(folder_.names);
      found_.notes.insert(found_.notes.end(), notes.begin(), notes.end());
    }
    uv_settings();
    import_own(folder);
    for (const auto& source : pyproject.sources) {
      const auto where = source.starts_with('/') ? source : in(folder, source);
      if (!package(where, {}, {})) bare_package(where);
    }
    return true;
  }

  void bare_package(const std::string& folder) {
    const bool has_name = folder_.read(in(folder, "pyproject.toml")) || folder_.read(in(folder, "setup.py"));
    if (has_name && !contains(found_.bare, folder)) found_.bare.push_back(folder);
    import_from(folder);
  }

  /// Groups as lines, beside what the package itself needs.
  bool groups_of(const std::string& folder, const Pyproject& pyproject, const std::vector<std::string>& extras,
                 const std::vector<std::string>& groups) {
    const auto file = in(folder, "pyproject.toml");
    const auto wanted = group_requirements(*folder_.read(file), groups, file);
    if (pyproject.dependencies || !extras.empty()) package(folder, extras, {});
    auto files = std::move(found_.files);
    if (!contains(files, file)) files.push_back(file);
    found_.files = std::move(files);
    lines(wanted, file);
    found_.kind = Kind::requirements;
    return true;
  }

  bool declares_in_setup_cfg(const std::string& folder) const {
    const auto text = folder_.read(in(folder, "setup.cfg"));
    return text && text->find("install_requires") != std::string::npos;
  }

  void metadata(const std::string& folder) {
    for (const char* name : {"pyproject.toml", "setup.py", "setup.cfg"}) also(in(folder, name));
    decided_elsewhere(folder, pyproject_in(folder));
  }

  /// The further files that decide what a package needs, and a note where code decides which those are.
  void decided_elsewhere(const std::string& folder, const Pyproject& pyproject) {
    for (const auto& file : pyproject.files) also(in(folder, file));
    const auto setup = folder_.read(in(folder, "setup.py"));
    for (const auto& file : files_in_setup_cfg(folder_.read(in(folder, "setup.cfg")).value_or("")))
      also(in(folder, file));
    const bool computed = (setup && computes(*setup)) || pyproject.computed;
    if (!computed) return;
    for (const auto& text : quoted_texts(setup.value_or(""))) also(in(folder, text));
    for (const auto& name : folder_.names) {
      if (is_metadata(name)) also(name);
    }
    const auto file = in(folder, setup ? "setup.py" : "pyproject.toml");
    found_.notes.push_back(
        file +
        " computes its dependencies: the environment is built again when one of the project's metadata "
        "files changes, and by rv deps rebuild");
  }

  /// The project's own package is imported from the files of the run, as an editable install does.
  void import_own(const std::string& folder) {
    if (pyproject_in(folder).package || folder_.read(in(folder, "setup.py"))) import_from(folder);
  }

  void import_from(const std::string& folder) {
    const std::string source = in(folder, "src");
    const std::string modules = folder_.is_folder(source) ? source : folder;
    if (!contains(found_.imports, modules)) found_.imports.push_back(modules);
  }

  const ProjectFolder& folder_;
  const EnvironmentChoice& choice_;
  Dependencies found_;
};

}  // namespace

std::string shown(const Dependencies& dependencies) {
  return listed(dependencies.files);
}

std::optional<Dependencies> script_dependencies(const ProjectFolder& folder, const std::string& script,
                                                const EnvironmentChoice& choice) {
  if (choice.none || !choice.from.empty()) return std::nullopt;
  const auto text = folder.read(script);
  const auto block = text ? script_block(*text, script) : std::nullopt;
  if (!block || block->dependencies.empty()) return std::nullopt;
  return Finder(folder, choice).of_script(*block, script);
}

std::optional<Dependencies> member_dependencies(const ProjectFolder& root, const std::string& member,
                                                const EnvironmentChoice& choice) {
  if (choice.none || !choice.from.empty() || !contains(root.names, "uv.lock")) return std::nullopt;
  return Finder(root, choice).of_member(member);
}

Dependencies find_dependencies(const ProjectFolder& folder, const EnvironmentChoice& choice) {
  return Finder(folder, choice).find();
}

}  // namespace rv::project
