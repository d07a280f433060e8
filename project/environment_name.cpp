#include "project/environment_name.h"

#include <algorithm>

#include "base/sha256.h"

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

}  // namespace

std::string environment_name(const Dependencies& dependencies, const EnvironmentChoice& choice,
                             const std::vector<std::string>& setup_lines, const Machine& machine, const ReadFile& read,
                             const std::function<std::string(const std::string& path)>& stamp) {
  Texts texts;
  texts.add(std::string_view("rv environment 1"));
  texts.add(std::to_string(static_cast<int>(dependencies.kind)));
  texts.add(std::string_view(machine.interpreter));
  texts.add(std::string_view(machine.platform));
  texts.add(std::string_view(machine.modules));
  texts.add(setup_lines);
  texts.add(choice.extras);
  texts.add(std::string_view(choice.python));
  const bool flat = !dependencies.requirements.lines.empty();
  if (flat) texts.add(dependencies.requirements.text(""));
  const auto& limits = dependencies.requirements.constraints;
  for (const auto& file : dependencies.files) {
    const bool in_text =
        flat && file.ends_with(".txt") && std::find(limits.begin(), limits.end(), file) == limits.end();
    if (in_text) continue;
    // Where a file lies says nothing about what is in it.
    texts.add(file.substr(file.rfind('/') + 1));
    texts.add(read(file).value_or(""));
  }
  for (const auto& package : dependencies.local) texts.add(package.extras);
  for (const auto& wheel : dependencies.requirements.wheels) texts.add(stamp(wheel));
  return texts.hex();
}

}  // namespace rv::project
