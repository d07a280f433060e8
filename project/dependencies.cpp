#include "project/dependencies.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/text.h"
#include "project/pyproject.h"

namespace rv::project {
namespace {

bool is_requirements(std::string_view name) {
  return name.starts_with("requirements") && name.ends_with(".txt");
}

bool is_conda(std::string_view name) {
  return name.starts_with("environment") && (name.ends_with(".yml") || name.ends_with(".yaml"));
}

std::string base_name(const std::string& path) {
  return path.substr(path.rfind('/') + 1);
}

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
    return std::move(found_);
  }

 private:
  bool has(std::string_view name) const { return contains(folder_.names, name); }

  void looked_for() {
    if (folder_.runs(".venv/bin/python")) return own(".venv");
    if (has("uv.lock")) return lock(Kind::uv_lock, {"uv.lock", "pyproject.toml", ".python-version"});
    if (has("pixi.lock")) return lock(Kind::pixi_lock, {"pixi.lock", "pixi.toml", "pyproject.toml"});
    for (const char* name : {"environment.yml", "environment.yaml"}) {
      if (has(name)) return conda(name);
    }
    if (has("requirements.txt")) return requirements({"requirements.txt"});
    std::vector<std::string> others;
    std::copy_if(folder_.names.begin(), folder_.names.end(), std::back_inserter(others), is_requirements);
    if (others.size() == 1) return requirements(others);
    if (package(".", choice_.extras)) return;
    if (others.size() > 1) {
      throw Error(fmt::format("{} has {}, and no requirements.txt", folder_.path, listed(others)),
                  fmt::format("choose in {}: environment: {}; --no-deps leaves the dependencies alone", settings_file,
                              others.front()),
                  ExitCode::usage);
    }
  }

  void chosen() {
    const std::string& first = choice_.from.front();
    if (choice_.from.size() == 1 && (folder_.is_folder(first) || first.starts_with('/'))) {
      if (!folder_.runs(first + "/bin/python")) {
        throw Error(fmt::format("{}: environment: {} is no environment: there is no program {}/bin/python",
                                settings_file, first, first),
                    "make it again, or name the files that declare the dependencies", ExitCode::usage);
      }
      return own(first);
    }
    for (const auto& file : choice_.from) {
      if (!folder_.read(file)) {
        throw Error(fmt::format("{}: environment: there is no file {} in {}", settings_file, file, folder_.path),
                    "name files from the project's folder", ExitCode::usage);
      }
    }
    const std::string name = base_name(first);
    if (choice_.from.size() == 1 && name == "uv.lock")
      return lock(Kind::uv_lock, {first, "pyproject.toml", ".python-version"});
    if (choice_.from.size() == 1 && name == "pixi.lock")
      return lock(Kind::pixi_lock, {first, "pixi.toml", "pyproject.toml"});
    if (choice_.from.size() == 1 && is_conda(name)) return conda(first);
    if (choice_.from.size() == 1 && (name == "pyproject.toml" || name == "setup.py")) {
      const std::string where = first == name ? "." : first.substr(0, first.rfind('/'));
      package(where, choice_.extras);
      return;
    }
    requirements(choice_.from);
  }

  void own(const std::string& path) {
    found_.kind = Kind::own;
    found_.own = path;
    found_.files = {path};
  }

  void lock(Kind kind, const std::vector<std::string>& files) {
    found_.kind = kind;
    for (const auto& file : files) {
      if (folder_.read(file)) found_.files.push_back(file);
    }
    import_own(".");
  }

  void conda(const std::string& file) {
    found_.kind = Kind::conda;
    found_.files = {file};
    import_own(".");
  }

  void requirements(const std::vector<std::string>& files) {
    found_.requirements = read_requirements(files, folder_.read);
    found_.files = files;
    for (const auto& limits : found_.requirements.constraints) found_.files.push_back(limits);
    found_.kind = found_.requirements.empty() ? Kind::none : Kind::requirements;
    for (const auto& one : found_.requirements.local) {
      if (!package(one.folder, one.extras)) import_from(one.folder);
    }
    if (!found_.requirements.empty()) found_.kind = Kind::requirements;
    if (found_.requirements.local.empty()) import_own(".");
  }

  static std::string in(const std::string& folder, const std::string& name) {
    return folder == "." ? name : folder + "/" + name;
  }

  /// False: it declares nothing.
  bool package(const std::string& folder, const std::vector<std::string>& extras) {
    const auto pyproject = folder_.read(in(folder, "pyproject.toml"));
    const auto scanned = pyproject ? scan_pyproject(*pyproject) : Pyproject{};
    const auto setup = folder_.read(in(folder, "setup.py"));
    if (!scanned.dependencies && !setup && extras.empty()) {
      import_own(folder);
      return false;
    }
    if (!pyproject && !setup) return false;
    found_.kind = Kind::package;
    found_.local.push_back({folder, extras});
    for (const char* name : {"pyproject.toml", "setup.py", "setup.cfg"}) {
      if (folder_.read(in(folder, name))) found_.files.push_back(in(folder, name));
    }
    import_own(folder);
    return true;
  }

  /// A package of its own is imported from the files of the run, as an editable install would have it.
  void import_own(const std::string& folder) {
    const auto pyproject = folder_.read(in(folder, "pyproject.toml"));
    const bool is_package = (pyproject && scan_pyproject(*pyproject).package) || folder_.read(in(folder, "setup.py"));
    if (is_package) import_from(folder);
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

Dependencies find_dependencies(const ProjectFolder& folder, const EnvironmentChoice& choice) {
  return Finder(folder, choice).find();
}

}  // namespace rv::project
