#include "cli/open/opening.h"

#include <doctest/doctest.h>

#include "base/error.h"

using namespace rv::cli;
using rv::Error;

TEST_CASE("an announcement that matches the request is opened") {
  const Opening page({.run = "k3f9x2", .node = "n1", .ports = {{0, 8891}}, .page = "/lab?token=0a", .secure = true},
                     {.ports = {{0, 0}}, .page = true});
  REQUIRE(page.page());
  CHECK(page_address(page.secure(), 8888, *page.page()) == "https://127.0.0.1:8888/lab?token=0a");
  const Opening ports({.run = "k3f9x2", .ports = {{8080, 80}, {6006, 6006}}}, {.ports = {{8080, 80}, {6006, 6006}}});
  CHECK_FALSE(ports.page());
}

TEST_CASE("an announcement of anything else is refused") {
  const OpenRequest asked{.ports = {{8080, 80}}};
  const auto refused = [](const Announcement& what, const OpenRequest& request) {
    CHECK_THROWS_AS(Opening(what, request), Error);
  };
  refused({.run = "k3f9x2", .ports = {}}, asked);
  refused({.run = "k3f9x2", .ports = {{8080, 80}, {3306, 3306}}}, asked);
  refused({.run = "k3f9x2", .ports = {{8080, 22}}}, asked);
  refused({.run = "k3f9x2", .ports = {{3306, 80}}}, asked);
  refused({.run = "k3f9x2", .ports = {{8080, 80}}, .page = "/"}, asked);
  refused({.run = "-x", .ports = {{8080, 80}}}, asked);
  refused({.run = "k3f9x2", .node = "n1\n", .ports = {{8080, 80}}}, asked);
  refused({.run = "k3f9x2", .ports = {{0, 8888}}}, {.ports = {{0, 0}}, .page = true});
  refused({.run = "k3f9x2", .ports = {{0, 70'000}}, .page = "/"}, {.ports = {{0, 0}}, .page = true});
  refused({.run = "k3f9x2", .ports = {{8080, 80}}}, {});
}

TEST_CASE("a page is a path with at most a token") {
  for (const char* page : {"/", "/lab", "/?token=", "/lab?token=0a-b_", "/user/ann%40site/lab?token=1", "/a.b/c~d/"}) {
    CHECK(PagePath(page).text() == page);
  }
  for (const char* page : {"",
                           "lab",
                           "@evil.org/",
                           "//evil.org",
                           "/x//y",
                           "/@x",
                           ":80/",
                           "javascript:x",
                           "/a b",
                           "/a\nb",
                           "/a\"b",
                           "/a'b",
                           "/<b>",
                           "/a&b",
                           "/a;b",
                           "/a#b",
                           "/a\\b",
                           "/lab?x=1",
                           "/lab?token=a&b=c",
                           "/lab?token=a?b",
                           "/lab?token=\"",
                           "?token=1",
                           "/lab?token=a/b",
                           "/\xc3\xa4",
                           "/a$(x)",
                           "/`x`"}) {
    CAPTURE(page);
    CHECK_THROWS_AS(PagePath{page}, Error);
  }
}

TEST_CASE("the page for a browser has no place for a script") {
  const std::string html = redirection_page("http://127.0.0.1:8888/\"><script>alert(1)</script>");
  CHECK(html.find("<script") == std::string::npos);
  CHECK(html.find("default-src 'none'") != std::string::npos);
  CHECK(html.find("url=http://127.0.0.1:8888/&quot;&gt;") != std::string::npos);
}
