#include "cli/open/announcement.h"

#include <doctest/doctest.h>

#include "base/error.h"

using rv::cli::Announcement;
using rv::cli::parse_announcement;

TEST_CASE("an announcement arrives unchanged, on one line without control characters") {
  const Announcement sent{.run = "k3f9x2",
                          .node = "n1",
                          .ports = {{.local = 0, .remote = 8889}, {.local = 8080, .remote = 80}},
                          .page = "/a\nb\x02/\xc3\xa4?token=1",
                          .secure = true};
  const std::string text = to_text(sent);
  for (const char c : text) CHECK(static_cast<unsigned char>(c) >= ' ');
  const auto got = parse_announcement(text);
  CHECK(got.run == sent.run);
  CHECK(got.node == sent.node);
  CHECK(got.ports == sent.ports);
  CHECK(got.page == sent.page);
  CHECK(got.secure);
}

TEST_CASE("anything else is refused") {
  for (const auto* text : {"", "{}", "[]", R"({"run":1,"node":"","ports":[],"page":"","secure":false})",
                           R"({"run":"a","node":"","ports":[[1]],"page":"","secure":false})"}) {
    CHECK_THROWS_AS(parse_announcement(text), rv::Error);
  }
}
