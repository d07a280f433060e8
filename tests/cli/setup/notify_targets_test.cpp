#include "cli/setup/notify_targets.h"

#include <doctest/doctest.h>

using rv::cli::may_hold_secret;

TEST_CASE("addresses of webhooks that may hold a secret") {
  for (const auto* url :
       {"https://user@host/", "https://user:word@host/rv", "https://host/rv?key=x", "https://host/#x",
        "https://host?key=x", "https://hooks.example.org/services/T0000/B0000/abcdefghij0123456789ABCD",
        "https://host/abcdefghij0123456789/post", "http://a@host"}) {
    CAPTURE(url);
    CHECK(may_hold_secret(url));
  }
  for (const auto* url :
       {"https://example.org/rv", "https://example.org", "https://a.very.long.name.of.a.host.example.org/",
        "https://host:8443/a/b/c/d/e/f/g/h/i", "-", "https://host/@me"}) {
    CAPTURE(url);
    CHECK(!may_hold_secret(url));
  }
}
