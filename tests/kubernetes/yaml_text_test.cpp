#include "cli/kubernetes/pods/yaml_text.h"

#include <doctest/doctest.h>
#include <yaml-cpp/yaml.h>

#include <nlohmann/json.hpp>

using namespace rv::kubernetes;
using Json = nlohmann::ordered_json;

namespace {

/// Back as another reader of YAML takes it; everything scalar as text.
Json read_back(const YAML::Node& node) {
  if (node.IsMap()) {
    auto json = Json::object();
    for (const auto& entry : node) json[entry.first.as<std::string>()] = read_back(entry.second);
    return json;
  }
  if (node.IsSequence()) {
    auto json = Json::array();
    for (const auto& entry : node) json.push_back(read_back(entry));
    return json;
  }
  return node.IsNull() ? Json("") : Json(node.as<std::string>());
}

}  // namespace

TEST_CASE("every string survives a round trip through YAML") {
  for (const auto* text : {"plain",
                           "yes",
                           "No",
                           "on",
                           "y",
                           "null",
                           "~",
                           "1",
                           "0x1f",
                           "1e3",
                           "12:30:45",
                           "2026-11-21",
                           ".5",
                           "",
                           " lead",
                           "trail ",
                           "a: b",
                           "a #b",
                           "- a",
                           "*a",
                           "&a",
                           "!a",
                           "|",
                           ">",
                           "%a",
                           "@a",
                           "`a",
                           "{a",
                           "[a",
                           "\"q\"",
                           "'q'",
                           "back\\slash",
                           "tab\there",
                           "two\nlines\n",
                           "no end\nof line",
                           "two ends\n\n",
                           " blank first\nline\n",
                           "\nempty first\n",
                           "umlaut ü …",
                           "next\xC2\x85line\n",
                           "separator \xE2\x80\xA8 here\n",
                           "nvidia.com/gpu",
                           "bell\x07",
                           "cr\r\nlf\r\n",
                           "a\n\n  b\n"}) {
    CAPTURE(text);
    const Json json = {{"value", text}, {"list", Json::array({text, Json{{"inner", text}}})}};
    CHECK(read_back(YAML::Load(yaml_text(json))) == json);
  }
}

TEST_CASE("a string that is a number or a truth is quoted, a number and a truth are not") {
  CHECK(yaml_text(Json{{"a", "1"}}) == "a: \"1\"\n");
  for (const auto* word : {"y", "n", "yes", "no", "on", "off", "true", "false", "null", "YES", "Off"}) {
    CHECK(yaml_text(Json{{"a", word}}) == std::string("a: \"") + word + "\"\n");
  }
  CHECK(yaml_text(Json{{"a", 1}}) == "a: 1\n");
  CHECK(yaml_text(Json{{"a", "true"}}) == "a: \"true\"\n");
  CHECK(yaml_text(Json{{"a", true}}) == "a: true\n");
  CHECK(yaml_text(Json{{"a", "NVIDIA-H200"}}) == "a: NVIDIA-H200\n");
  CHECK(yaml_text(Json{{"on", "x"}}) == "\"on\": x\n");
}

TEST_CASE("lists of mappings, empty ones and scripts stand as people write them") {
  const Json json = {{"items", Json::array({Json{{"name", "a"}, {"sub", Json{{"x", 1}}}}, Json::array({1, 2})})},
                     {"none", Json::object()},
                     {"empty", Json::array()},
                     {"script", "#!/bin/bash\nif a; then\n  b\nfi\n"}};
  CHECK(yaml_text(json) ==
        "items:\n"
        "  - name: a\n"
        "    sub:\n"
        "      x: 1\n"
        "  -\n"
        "    - 1\n"
        "    - 2\n"
        "none: {}\n"
        "empty: []\n"
        "script: |\n"
        "  #!/bin/bash\n"
        "  if a; then\n"
        "    b\n"
        "  fi\n");
}
