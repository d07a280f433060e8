#include "base/did_you_mean.h"

#include <doctest/doctest.h>

#include <vector>

namespace rv::cli {

TEST_CASE("a typing error is found, a different word is not") {
  const std::vector<std::string> known{"up", "run", "stop", "status"};
  CHECK(suggestion("upp", known) == "; did you mean \"up\"?");
  CHECK(suggestion("sttus", known) == "; did you mean \"status\"?");
  CHECK(suggestion("rnu", known) == "; did you mean \"run\"?");
  CHECK(suggestion("x", known).empty());
  CHECK(suggestion("launch", known).empty());
  CHECK(suggestion("tyme", {"type", "gpu", "time"}, "--") == "; did you mean \"--type\" or \"--time\"?");
  CHECK(suggestion("gpuz", {"gpu", "gpus"}, "--") == "; did you mean \"--gpu\"?");
  CHECK(suggestion("memroy", {"mem", "memory"}, "--") == "; did you mean \"--memory\"?");
}

}  // namespace rv::cli
