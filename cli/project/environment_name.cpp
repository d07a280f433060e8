#include "cli/project/environment_name.h"

#include "base/text.h"
#include "base/variable.h"
#include "shared/sha256.h"

namespace rv::project {
namespace {

constexpr std::size_t digits = 16;

/// Texts one after the other, so that none can be taken for the end of another.
class Texts {
 public:
  void add(std::string_view text) {
    hash_.add(std::to_string(text.size()) + ":");
    hash_.add(text);
  }
  void add(const std::vector<std::string>& texts) {
    add(std::to_string(texts.size()));
    for (const auto& text : texts) add(std::string_view(text));
  }
  std::string hex() { return hash_.hex().substr(0, digits); }

 private:
  Sha256 hash_;
};

bool is_package_metadata(const std::string& file) {
  return file.ends_with("pyproject.toml") || file.ends_with("setup.py") || file.ends_with("setup.cfg");
}

}  // namespace

std::string environment_name(const Dependencies& dependencies, const EnvironmentChoice& choice,
                             const std::vector<std::string>& setup_lines, const Machine& machine, const ReadFile& read,
                             const std::function<std::string(const std::string& path)>& stamp) {
  Texts texts;
  texts.add(std::string_view("rv environment 2"));
  texts.add(std::to_string(static_cast<int>(dependencies.kind)));
  texts.add(std::string_view(machine.interpreter));
  texts.add(std::string_view(machine.platform));
  texts.add(std::string_view(machine.modules));
  texts.add(std::string_view(machine.settings));
  texts.add(setup_lines);
  texts.add(choice.extras);
  texts.add(choice.groups);
  texts.add(std::string_view(choice.python));
  texts.add(std::string_view(dependencies.member));
  texts.add(std::string_view(dependencies.python));
  const auto& requirements = dependencies.requirements;
  texts.add(requirements.text(""));
  const auto add_file = [&](const std::string& file) {
    // The path of a file does not affect the environment.
    texts.add(file.substr(file.rfind('/') + 1));
    texts.add(read(file).value_or(""));
  };
  const bool flat = dependencies.kind == Kind::requirements;
  for (const auto& file : dependencies.files) {
    // The lines contain the requirements files, a script's block or a Pipfile.
    const bool in_lines = flat && !contains(requirements.constraints, file) && !is_package_metadata(file);
    if (!in_lines) add_file(file);
  }
  for (const auto& file : requirements.constraints) {
    if (!contains(dependencies.files, file)) add_file(file);
  }
  for (const auto& file : dependencies.also) add_file(file);
  for (const auto& package : dependencies.local) texts.add(package.extras);
  for (const auto& wheel : requirements.wheels) texts.add(stamp(wheel));
  for (const auto& tree : dependencies.trees) texts.add(stamp(tree));
  for (const auto& name : requirements.variables) texts.add(variable(name.c_str()));
  return texts.hex();
}

}  // namespace rv::project
