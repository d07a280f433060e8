#include "cli/setup/notify_targets.h"

#include <doctest/doctest.h>

using rv::cli::may_hold_secret;
using rv::cli::service_of;

TEST_CASE("addresses of webhooks that may hold a secret") {
  for (const auto* url :
       {"https://user@host/", "https://user:word@host/rv", "https://host/rv?key=x", "https://host/#x",
        "https://host?key=x", "https://hooks.example.org/services/T0000/B0000/abcdefghij0123456789ABCD",
        "https://host/abcdefghij0123456789/post", "http://a@host", "https://ntfy.sh/runs"}) {
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

TEST_CASE("the service of a webhook depends only on its host") {
  CHECK(service_of("https://hooks.slack.com/services/T0/B0/x") == "slack");
  CHECK(service_of("https://hooks.slack-gov.com/services/T0/B0/x") == "slack");
  CHECK(service_of("https://prod-07.westeurope.logic.azure.com:443/workflows/x?sig=y") == "teams");
  CHECK(service_of("https://default1.environment.api.powerplatform.com:443/powerautomate/x") == "teams");
  CHECK(service_of("https://example.webhook.office.com/webhookb2/x") == "teams");
  CHECK(service_of("https://discord.com/api/webhooks/1/x") == "discord");
  CHECK(service_of("https://canary.discord.com/api/webhooks/1/x") == "discord");
  CHECK(service_of("https://ann:word@ntfy.sh/runs") == "ntfy");
  for (const auto* url :
       {"https://example.org/hooks.slack.com", "https://nothooks.slack.com", "https://hooks.slack.com.example.org/",
        "https://example.org?x=.discord.com", "http://ntfy.sh/runs", "ntfy.sh", ""}) {
    CAPTURE(url);
    CHECK(service_of(url).empty());
  }
}
