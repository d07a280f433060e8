#include "shared/fnv1a.h"

#include <doctest/doctest.h>

using namespace rv;

TEST_CASE("FNV-1a has the values of its authors' test vectors, in parts too") {
  CHECK(fnv1a("") == 0xcbf29ce484222325U);
  CHECK(fnv1a("a") == 0xaf63dc4c8601ec8cU);
  CHECK(fnv1a("foobar") == 0x85944171f73967e8U);
  CHECK(fnv1a("bar", fnv1a("foo")) == fnv1a("foobar"));
  CHECK(fnv1a<std::uint32_t>("") == 0x811c9dc5U);
  CHECK(fnv1a<std::uint32_t>("a") == 0xe40c292cU);
  CHECK(fnv1a<std::uint32_t>("foobar") == 0xbf9cf968U);
}
