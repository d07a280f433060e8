// A saved cluster in which values have changed their types, gone, or stand twice.
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/os/atomic_file.h"
#include "cli/json/values_json.h"
#include "tests/damaged.h"
#include "tests/source_tree.h"

using namespace rv;

namespace {

using Json = nlohmann::json;

/// Some value somewhere in the document.
Json& anywhere(Json& document, std::mt19937& random) {
  Json* at = &document;
  while (at->is_structured() && !at->empty() && random() % 8 != 0) {
    auto next = at->begin();
    std::advance(next, static_cast<long>(random() % at->size()));
    at = &*next;
  }
  return *at;
}

Json odd_value(std::mt19937& random) {
  static const std::vector<Json> odd = {nullptr, true,          -1,  0,         1e300, 18446744073709551615U,
                                        "",      "99999999999", "x", "n[1-99]", {},    Json::array({1, "a", nullptr}),
                                        -1e300,  "UNLIMITED",   1.5};
  return odd[random() % odd.size()];
}

}  // namespace

TEST_CASE("a cluster with odd values is refused or read") {
  const auto text = os::read_file(in_tree("tests/cli/data/small.cluster.json"));
  REQUIRE(text.has_value());
  const Json whole = Json::parse(*text);
  std::mt19937 random(17);
  for (int time = 0; time < 2000; ++time) {
    Json document = whole;
    Json& place = anywhere(document, random);
    place = random() % 4 == 0 ? anywhere(document, random) : odd_value(random);
    const std::string changed = document.dump();
    CAPTURE(changed);
    try {
      cli::cluster_from_json(document);
      cli::history_from_json(document);
    } catch (const Error& error) {
      CHECK(std::string_view(error.what()) != "");
    } catch (const std::exception& other) {
      FAIL_CHECK("an error for nobody: " << std::string(other.what()));
    }
  }
}
