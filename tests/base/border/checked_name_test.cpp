#include "base/border/checked_name.h"

#include <doctest/doctest.h>

#include "base/error.h"

using namespace rv;

TEST_CASE("a checked name takes the names that clusters have") {
  CHECK(RunId("k3f9x2").text() == "k3f9x2");
  for (const char* name : {"ann", "Ann", "_apt", "a.b-c", "ann@site.edu", "u123"}) CHECK(UserName(name).text() == name);
  for (const char* name : {"udc-an28-2", "n1", "gpu.site.edu", "node_7", "10.0.0.1"})
    CHECK(HostName(name).text() == name);
  for (const char* name : {"", "two words", "\xc3\xa4rger", "a\"b'c$(d)"}) CHECK(RunName(name).text() == name);
}

TEST_CASE("a checked name rejects characters that end a line, a quotation or an address, and text like an option") {
  for (const char* name :
       {"",    "-x",  "a b",  "a\nb",     "a\rb",  "*",         "a/b",      "..", "a\"", "a'",  "a$b",
        "a%h", "a;b", "a\\b", "a\x1b[0m", "a\x7f", "a\xc2\x85", "\xc3\xa4", "!a", "a,b", "a#b", "a:b"}) {
    CAPTURE(name);
    CHECK_THROWS_AS(RunId{name}, Error);
    CHECK_THROWS_AS(UserName{name}, Error);
    CHECK_THROWS_AS(HostName{name}, Error);
  }
  for (const char* name : {"K3F9X2", "a_b", "a.b", "12345678901234567"}) CHECK_THROWS_AS(RunId{name}, Error);
  CHECK_THROWS_AS(HostName{"ann@host"}, Error);
  CHECK_THROWS_AS(HostName{std::string("a\0b", 3)}, Error);
  CHECK_THROWS_AS(HostName{std::string(256, 'a')}, Error);
  for (const char* name : {"a\nb", "a\x1b]0;x",
                           "a\xc2\x9b"
                           "31m",
                           "a\x7f"})
    CHECK_THROWS_AS(RunName{name}, Error);
}

TEST_CASE("the error shows the name without its control characters") {
  CHECK(printable("a\x1b\n\xc2\x9b") == "a\\x1b\\x0a\\xc2\\x9b");
  CHECK(printable(std::string(1000, 'a')).size() == 63);
  CHECK_THROWS_WITH(UserName{"a\nb"}, "invalid user name 'a\\x0ab': expected letters, digits and . _ - @");
}

TEST_CASE("ports are 1 to 65535") {
  CHECK(checked_port(1) == 1);
  CHECK(checked_port(65535) == 65535);
  for (const long long port : {0LL, -1LL, 65536LL, 1LL << 40}) CHECK_THROWS_AS(checked_port(port), Error);
}
