#include "base/border/page_like.h"

#include <doctest/doctest.h>

#include <string>

using rv::is_page_like;

TEST_CASE("a file with the extension of a page counts as a page") {
  for (const auto* name : {"report.html", "n_1/plot.HTM", "a/b.svg", "b.xhtml", "b.mhtml", "c.xml", "d.pdf", "e.js"}) {
    CAPTURE(name);
    CHECK(is_page_like(name, ""));
    CHECK(is_page_like(name, "words"));
  }
}

TEST_CASE("a file that a browser would take for a page is one") {
  const std::string script = "<script>fetch('file:///etc/passwd')</script>";
  for (const auto& before : {std::string(), std::string(" \n\t"), std::string("\xEF\xBB\xBF"), std::string("\xFE\xFF"),
                             std::string(3, '\0')}) {
    CHECK(is_page_like("model", before + script));
    CHECK(is_page_like("events.out.tfevents.1.host", before + script));
    CHECK(is_page_like("model.pt", before + "<?xml version=\"1.0\"?>"));
  }
  CHECK(is_page_like("model", std::string(2, '\0') + script));
  CHECK(is_page_like("figure", "%PDF-1.7"));
}

TEST_CASE("text and data are no pages") {
  for (const auto* name : {"training.log", "gpu_metrics.csv", "result.json", "events.jsonl", "summary.txt"}) {
    CAPTURE(name);
    CHECK_FALSE(is_page_like(name, "<html><script>1</script>"));
  }
  CHECK_FALSE(is_page_like("n_1/model.pt", "PK\x03\x04"));
  CHECK_FALSE(is_page_like("checkpoint", std::string("\x80\x02", 2)));
  CHECK_FALSE(is_page_like("n.html/model", ""));
  CHECK_FALSE(is_page_like("", ""));
}
