#include "base/documents/parse_document.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "base/documents/yaml_reader.h"
#include "base/error.h"

using namespace rv;
using Json = nlohmann::ordered_json;

namespace {

constexpr std::size_t hostile = 200'000;

std::string repeated(std::size_t times, const std::string& text) {
  std::string all;
  for (std::size_t i = 0; i < times; ++i) all += text;
  return all;
}

}  // namespace

TEST_CASE("JSON that is nested too deeply is not decoded") {
  for (const std::string open : {"[", "{\"a\":", " [ ", "[1,[],{\"b\":"}) {
    CHECK(json_excess(repeated(hostile, open)) == "it is nested more than 100 levels deep");
    CHECK(parse_json_or_discard<Json>(repeated(hostile, open)).is_discarded());
    CHECK_THROWS_WITH_AS(parse_json<Json>(repeated(hostile, open), "report.jsonl"),
                         "report.jsonl: it is nested more than 100 levels deep", Error);
  }
  const std::string closed = repeated(100, "[") + repeated(100, "]");
  CHECK(json_excess(closed).empty());
  CHECK(parse_json<Json>(closed, "x").is_array());
  CHECK_FALSE(json_excess("[" + closed + "]").empty());
  CHECK_THROWS_AS(parse_json<Json>("[1,", "x"), Json::parse_error);
}

TEST_CASE("brackets in strings and one after the other are no nesting") {
  CHECK(json_excess("\"" + repeated(hostile, "[") + "\"").empty());
  CHECK(json_excess("[\"\\\"" + repeated(hostile, "{") + "\"]").empty());
  CHECK(json_excess("[" + repeated(hostile, "[],") + "1]").empty());
  // What a string hides from the count it hides from the parser.
  CHECK_FALSE(json_excess("\"\\\\\"" + repeated(hostile, "[")).empty());
}

TEST_CASE("MessagePack that is nested too deeply is not decoded") {
  for (const std::string& bytes :
       {std::string("\x91"), std::string("\x81\xa1k"), std::string("\xdc\0\1", 3), std::string("\xdd\0\0\0\1", 5),
        std::string("\xde\0\1\xc0", 4), std::string("\xdf\0\0\0\1\xc0", 6)}) {
    CHECK(msgpack_excess(repeated(hostile, bytes)) == "it is nested more than 100 levels deep");
    CHECK_THROWS_AS(parse_msgpack<Json>(repeated(hostile, bytes), "x"), Error);
  }
  const Json wide = {1,
                     -1,
                     70000,
                     -70000,
                     1.5,
                     "text",
                     {{"k", {1, 2, {3}}}},
                     nullptr,
                     true,
                     std::string(70000, '\x91'),
                     Json::binary({0x91, 0x91, 0x91})};
  const auto packed = Json::to_msgpack(wide);
  const std::string bytes(packed.begin(), packed.end());
  CHECK(msgpack_excess(bytes).empty());
  CHECK(parse_msgpack<Json>(bytes, "x") == wide);
  for (std::size_t length = 0; length < 200; ++length) CHECK(msgpack_excess(bytes.substr(0, length)).empty());
  // What is claimed and not there.
  CHECK(msgpack_excess("\xdb\xff\xff\xff\xff").empty());
  CHECK(msgpack_excess("\xdd\xff\xff\xff\xff").empty());
}

TEST_CASE("YAML that is nested too deeply, or too large, is a named error") {
  for (const std::string open : {"[", "{a: ", "- ", "? ", "[\"\", "}) {
    CHECK_THROWS_AS(parse_yaml(repeated(hostile, open), ".rv.yaml"), Error);
  }
  std::string steps;
  for (int level = 0; level < 2000; ++level) steps += std::string(static_cast<std::size_t>(level), ' ') + "a:\n";
  CHECK_THROWS_AS(parse_yaml(steps, ".rv.yaml"), Error);
  CHECK_THROWS_AS(parse_yaml(std::string(5 << 20, '#'), ".rv.yaml"), Error);
  CHECK(parse_yaml("a: [1, {b: [2]}]\n", "x").IsMap());
}
