#include "cli/project/project_settings.h"

#include "base/documents/yaml_reader.h"

namespace rv::project {

EnvironmentChoice parse_project_settings(std::string_view text, const std::string& file) {
  EnvironmentChoice choice;
  for (const YamlEntry& entry : yaml_entries(parse_yaml(text, file), {file, ""})) {
    const YamlPosition at{file, entry.name};
    if (entry.name != "environment") refuse_key(entry, at, {"environment"});
    if (!entry.value.IsMap()) {
      choice.from = yaml_texts(entry.value, at);
      choice.none = choice.from == std::vector<std::string>{"none"};
      if (choice.none) choice.from.clear();
      continue;
    }
    for (const YamlEntry& inner : yaml_entries(entry.value, at)) {
      const YamlPosition place{file, inner.name};
      if (inner.name == "from") {
        choice.from = yaml_texts(inner.value, place);
      } else if (inner.name == "extras") {
        choice.extras = yaml_texts(inner.value, place);
      } else if (inner.name == "groups") {
        choice.groups = yaml_texts(inner.value, place);
      } else if (inner.name == "python") {
        choice.python = yaml_text(inner.value, place);
      } else if (inner.name == "setup") {
        choice.setup = yaml_texts(inner.value, place);
      } else if (inner.name == "build_on_node") {
        choice.on_node = yaml_flag(inner.value, place);
      } else if (inner.name == "build_time") {
        choice.build_time = yaml_time(inner.value, place);
      } else {
        refuse_key(inner, place, {"from", "extras", "groups", "python", "setup", "build_on_node", "build_time"});
      }
    }
  }
  return choice;
}

}  // namespace rv::project
