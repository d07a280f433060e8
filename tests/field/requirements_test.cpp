// requirements.yaml: requirements files of the field.
#include "cli/project/requirements.h"

#include <doctest/doctest.h>
#include <yaml-cpp/yaml.h>

#include <map>
#include <string>
#include <vector>

#include "base/error.h"
#include "tests/source_tree.h"

namespace rv::project {
namespace {

using Texts = std::vector<std::string>;

std::string utf16(const std::string& text, bool big) {
  std::string bytes = big ? "\xfe\xff" : "\xff\xfe";
  for (const char c : text) bytes += big ? std::string{'\0', c} : std::string{c, '\0'};
  return bytes;
}

/// Of UTF-8 text whose characters are all in Latin-1.
std::string latin1(const std::string& text) {
  std::string bytes;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte < 0x80) {
      bytes += text[i];
    } else {
      bytes += static_cast<char>((byte & 3U) << 6U | (static_cast<unsigned char>(text[++i]) & 0x3FU));
    }
  }
  return bytes;
}

std::string bytes_of(const YAML::Node& row) {
  const auto text = row["text"].as<std::string>();
  if (row["utf16"]) return utf16(text, row["utf16"].as<std::string>() == "be");
  return row["latin1"] ? latin1(text) : text;
}

Texts texts(const YAML::Node& node) {
  return node ? node.as<Texts>() : Texts();
}

Texts folders(const Requirements& found) {
  Texts all;
  for (const auto& package : found.local) all.push_back(package.folder);
  return all;
}

std::string joined_lines(const Texts& lines) {
  std::string text;
  for (const auto& line : lines) text += line + "\n";
  return text;
}

}  // namespace

TEST_CASE("requirements files of the field are read as pip reads them") {
  for (const auto& row : YAML::LoadFile(in_tree("tests/field/requirements.yaml"))["rows"]) {
    std::map<std::string, std::string> files{{"requirements.txt", bytes_of(row)}};
    for (const auto& file : row["files"]) files[file.first.as<std::string>()] = file.second.as<std::string>();
    const auto read = [&](const std::string& path) -> std::optional<std::string> {
      const auto found = files.find(path);
      return found == files.end() ? std::nullopt : std::optional(found->second);
    };
    CAPTURE(row["text"].as<std::string>());
    try {
      const auto found = read_requirements({"requirements.txt"}, read);
      REQUIRE(row["lines"]);
      CHECK(found.text("") == joined_lines(texts(row["lines"])));
      CHECK(found.constraints == texts(row["constraints"]));
      CHECK(found.wheels == texts(row["wheels"]));
      CHECK(folders(found) == texts(row["local"]));
      CHECK(found.variables == texts(row["variables"]));
      CHECK(found.addresses == texts(row["addresses"]));
    } catch (const Error& error) {
      REQUIRE_MESSAGE(row["error"], error.what());
      CHECK_MESSAGE(std::string(error.what()).find(row["error"].as<std::string>()) != std::string::npos, error.what());
    }
  }
}

}  // namespace rv::project
