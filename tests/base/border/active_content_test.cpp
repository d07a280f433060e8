#include "base/border/active_content.h"

#include <doctest/doctest.h>

#include <string>

using rv::has_active_content;

TEST_CASE("a file with the extension of a page counts as a page") {
  for (const auto* name : {"report.html", "n_1/plot.HTM", "a/b.svg", "b.xhtml", "b.mhtml", "c.xml", "d.pdf", "e.js"}) {
    CAPTURE(name);
    CHECK(has_active_content(name, ""));
    CHECK(has_active_content(name, "words"));
  }
}

TEST_CASE("a file that a browser would take for a page is one") {
  const std::string script = "<script>fetch('file:///etc/passwd')</script>";
  for (const auto& before : {std::string(), std::string(" \n\t"), std::string("\xEF\xBB\xBF"), std::string("\xFE\xFF"),
                             std::string(3, '\0')}) {
    CHECK(has_active_content("model", before + script));
    CHECK(has_active_content("events.out.tfevents.1.host", before + script));
    CHECK(has_active_content("model.pt", before + "<?xml version=\"1.0\"?>"));
  }
  CHECK(has_active_content("model", std::string(2, '\0') + script));
  CHECK(has_active_content("figure", "%PDF-1.7"));
}

TEST_CASE("text and data are no pages") {
  for (const auto* name : {"training.log", "gpu_metrics.csv", "result.json", "events.jsonl", "summary.txt"}) {
    CAPTURE(name);
    CHECK_FALSE(has_active_content(name, "<html><script>1</script>"));
  }
  CHECK_FALSE(has_active_content("n_1/model.pt", "PK\x03\x04"));
  CHECK_FALSE(has_active_content("checkpoint", std::string("\x80\x02", 2)));
  CHECK_FALSE(has_active_content("n.html/model", ""));
  CHECK_FALSE(has_active_content("", ""));
}
