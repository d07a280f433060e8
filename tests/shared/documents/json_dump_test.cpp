#include "shared/documents/json_dump.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

using namespace rv;

TEST_CASE("JSON is one line or indented, and bytes that are not UTF-8 do not stop it") {
  const nlohmann::ordered_json json = {{"b", 1}, {"a", "x\xff"}};
  CHECK(json_dump(json) == "{\"b\":1,\"a\":\"x\xef\xbf\xbd\"}");
  CHECK(json_dump(json, 1) == "{\n \"b\": 1,\n \"a\": \"x\xef\xbf\xbd\"\n}");
  CHECK(json_dump(nlohmann::json("é")) == "\"é\"");
  CHECK(ascii_json_dump(nlohmann::json("é")) == "\"\\u00e9\"");
  CHECK(ascii_json_dump(json) == "{\"b\":1,\"a\":\"x\\ufffd\"}");
}
