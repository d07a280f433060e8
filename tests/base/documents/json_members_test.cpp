#include "base/documents/json_members.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

namespace rv {

TEST_CASE_TEMPLATE("a member that is missing or has another type is unknown", Json, nlohmann::json,
                   nlohmann::ordered_json) {
  const auto json = Json::parse(R"({"word": "yes", "count": 3, "none": null, "inner": {"word": "no"}})");
  CHECK(member_number(json, "count") == 3.0);
  CHECK(member_text(json, "word") == "yes");
  CHECK(member_text(member_of(json, "inner"), "word") == "no");
  for (const auto* const key : {"word", "none", "other"}) CHECK(!member_number(json, key));
  for (const auto* const key : {"count", "none", "other"}) CHECK(member_text(json, key).empty());
  for (const auto* const key : {"none", "other"}) CHECK(member_of(json, key).is_null());
  // What is not an object has no members.
  for (const auto& other : {Json(), Json(3), Json::array({1})}) {
    CHECK(member_of(other, "count").is_null());
    CHECK(!member_number(other, "count"));
    CHECK(member_text(other, "word").empty());
  }
}

}  // namespace rv
