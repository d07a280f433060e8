#include "accept/members.h"

#include <doctest/doctest.h>

namespace rv::accept {

TEST_CASE("a member that is missing, or of another kind, is not known") {
  const auto json = nlohmann::ordered_json::parse(R"({"word": "yes", "count": 3, "none": null})");
  CHECK(number_of(json, "count") == 3.0);
  CHECK(text_of(json, "word") == "yes");
  for (const auto* const key : {"word", "none", "other"}) CHECK(!number_of(json, key));
  for (const auto* const key : {"count", "none", "other"}) CHECK(text_of(json, key).empty());
  CHECK(!number_of({}, "count"));
  CHECK(text_of({}, "word").empty());
}

}  // namespace rv::accept
