#include "reports/accept/page/html_report.h"

#include <doctest/doctest.h>

#include "reports/accept/page/bar_list.h"
#include "reports/accept/page/each_gpu.h"
#include "reports/accept/page/pair_map.h"
#include "reports/accept/peak.h"
#include "tests/accept/evidence_builder.h"

namespace rv::accept {
namespace {

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t times = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++times;
  return times;
}

TEST_CASE("the page is self-contained, names the finding and draws a bar for each GPU") {
  const auto judged = judge(compute_order(), {four_gpus({690, 695, 350, 700})}, {}, false);
  const auto html = html_report(compute_order(), judged, "abc123", pages::About{});
  CHECK(html.starts_with("<!doctype html>"));
  CHECK(html.find("<span class=\"verdict fail\">fail</span>") != std::string::npos);
  CHECK(html.find("n1 gpu 2 (GPU-2)") != std::string::npos);
  CHECK(count(html, "<b class=\"good\"") == 4);  // a single link is compared with the peak of its model
  CHECK(count(html, "<b class=\"bad\"") == 1);
  CHECK(html.find("<details><summary><span class=\"verdict fail\">fail</span> <strong>n1 gpu 2 (GPU-2)") !=
        std::string::npos);
  CHECK(count(html, "<i class=\"fail\" title=\"gpu 2: fail\"") == 1);
  CHECK(count(html, "<i class=\"pass\" title=") == 3);
  for (const char* const outside : {"http://", "https://", "<script src", "<link", "@import", "url("}) {
    CHECK_MESSAGE(html.find(outside) == std::string::npos, outside);
  }
}

TEST_CASE("the title has the machine and its verdict") {
  const auto judged = judge(compute_order(), {four_gpus({690, 695, 350, 700})}, {}, false);
  pages::About about;
  about.host = "vm";
  const auto html = html_report(compute_order(), judged, "abc123", about);
  CHECK(html.find("<title>vm · 4× NVIDIA H200 · fail</title>") != std::string::npos);
  CHECK(html.find("Acceptance abc123") != std::string::npos);
}

TEST_CASE("the figures of a single GPU are rows of one table, without empty columns") {
  auto evidence = four_gpus({690, 695, 700, 692});
  for (auto& step : evidence.steps) {
    for (auto& report : step.reports) {
      std::erase_if(report.figures, [](const auto& figure) { return figure.gpu_index.value_or(0) != 0; });
    }
  }
  const auto html = each_gpu_html(judge(compute_order(), {evidence}, {}, false));
  CHECK(count(html, "<table") == 1);
  CHECK(html.find("class=\"bars\"") == std::string::npos);
  CHECK(html.find("<td class=\"n\">690</td>") != std::string::npos);
  CHECK(html.find("baseline") == std::string::npos);
}

TEST_CASE("the content of a report is escaped") {
  auto evidence = four_gpus({690, 695, 700, 692});
  auto& figure = evidence.steps[0].reports[0].figures[0];
  figure.verdict = Verdict::fail;
  figure.reason = "<img src=x onerror=alert(1)>";
  const auto html = html_report(compute_order(), judge(compute_order(), {evidence}, {}, false), "a<b", pages::About{});
  CHECK(html.find("<img") == std::string::npos);
  CHECK(html.find("&lt;img src=x") != std::string::npos);
  CHECK(html.find("Acceptance a&lt;b") != std::string::npos);
}

TEST_CASE("a missing reading fails no node, and the head names the model") {
  auto evidence = four_gpus({690, 695, 700, 692});
  auto& figures = evidence.steps[0].reports[0].figures;
  for (int gpu = 0; gpu < 4; ++gpu) {
    auto figure = gpu_figure(gpu, "xid", 0);
    figure.value.reset();
    figure.verdict = Verdict::skip;
    figure.reason = "not_available";
    figures.push_back(figure);
  }
  const auto judged = judge(compute_order(), {evidence}, {}, false);
  REQUIRE(judged.verdict == Verdict::pass);
  const auto html = html_report(compute_order(), judged, "abc123", pages::About{});
  CHECK(html.find("1 of 1 node passed every suite.") != std::string::npos);
  CHECK(html.find("1 node with 4 GPUs (NVIDIA H200) each,") != std::string::npos);
  const auto strict = html_report(compute_order(), judge(compute_order(), {evidence}, {}, true), "abc", pages::About{});
  CHECK(strict.find("0 of 1 node passed every suite.") != std::string::npos);
}

TEST_CASE("the tolerance is shown with the baseline") {
  Baseline baseline;
  baseline.key = key_of(gpu_figure(0, "gemm_bf16", 1), "NVIDIA H200", 1, 1, "");
  baseline.value = 795;
  baseline.unit = "TFLOP/s";
  baseline.at_least = 0.85;
  const std::vector<Baseline> baselines{baseline};
  const auto judged = judge(compute_order(), {four_gpus({691, 695, 700, 692})}, baselines, false);
  const auto html = html_report(compute_order(), judged, "abc123", pages::About{});
  CHECK(html.find("baseline 795, at least 0.85 of it") != std::string::npos);
  CHECK(html.find("<td class=\"n\">795</td><td class=\"n\">0.87</td><td class=\"n\">0.85</td>") != std::string::npos);
}

TEST_CASE("microseconds have their sign") {
  CHECK(bars_html({{"n1", 1, true}}, "us", {}).find("1 µs") != std::string::npos);
}

TEST_CASE("a cell per pair") {
  CHECK(count(pair_map_svg({{std::nullopt, 10.0}, {20.0, std::nullopt}}, "GB/s"), "class=\"cell\"") == 2);
}

TEST_CASE("bars are as long as their values, with a mark where the baseline is") {
  const auto bars =
      bars_html({{"n1", 1, true}}, "GB/s", {.baseline = 2.0, .at_least = std::nullopt, .peak = std::nullopt});
  CHECK(bars.find("style=\"width:45.5%\"") != std::string::npos);
  CHECK(bars.find("<u style=\"left:90.9%\">") != std::string::npos);
  const auto alone = bars_html({{"n1", 1, true}}, "GB/s", {});
  CHECK(alone.find("1 GB/s") != std::string::npos);
  CHECK(count(alone, "<b class=") == 0);
  CHECK(count(bars_html({{"n1", 1, true}, {"n2", 2, false}}, "GB/s", {}), "<b class=") == 2);
}

TEST_CASE("one GPU is as long as its share of the model's peak") {
  const auto bars = bars_html({{"n1 gpu 0", 683, true}}, "TFLOP/s", {.baseline = 683.0, .peak = 989.5});
  CHECK(bars.find("style=\"width:69.0%\"") != std::string::npos);
  CHECK(bars.find("69 %") != std::string::npos);
  CHECK(peak_of("NVIDIA H200", "gemm_bf16") == 989.5);
  CHECK(peak_of("NVIDIA H200", "copy") == 4800);
  CHECK(peak_of("NVIDIA H100 80GB HBM3", "triad") == 3350);
  CHECK(peak_of("NVIDIA A100-SXM4-40GB", "copy") == 1555);
  CHECK(peak_of("NVIDIA L40S", "copy") == 864);
  CHECK_FALSE(peak_of("NVIDIA H200", "h2d_latency").has_value());
  CHECK_FALSE(peak_of("some other GPU", "gemm_bf16").has_value());
}

TEST_CASE("hundreds of GPUs: those that did not pass have bars, the others one row and a chart") {
  std::vector<double> speeds(40, 690);
  speeds[7] = 300;
  const auto html = each_gpu_html(judge(compute_order(1, 40), {four_gpus(speeds)}, {}, false));
  CHECK(count(html, "<b class=\"bad\"") == 1);
  CHECK(count(html, "<b class=\"good\"") == 1);  // the one GPU whose link was measured
  CHECK(html.find("40 GPUs from 300 to 690 TFLOP/s, median 690; 1 did not pass") != std::string::npos);
  CHECK(count(html, "\"axis\":\"names\"") == 1);
}

}  // namespace
}  // namespace rv::accept
