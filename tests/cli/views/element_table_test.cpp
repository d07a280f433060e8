#include "cli/views/element_table.h"

#include <doctest/doctest.h>

#include <algorithm>

namespace rv::cli {
namespace {

using monitor::Element;
using monitor::TimePoint;

TimePoint at(int second) {
  return TimePoint(std::chrono::seconds(1000 + second));
}

Element element(int index, std::optional<int> code, int begun = 0, int ended = 90) {
  monitor::Entry start;
  start.time = at(begun);
  start.nodes = "n" + std::to_string(index);
  Element one{.index = index, .start = start};
  if (code) one.exit = monitor::ExitRecord{.code = *code, .time = at(ended), .job = {7}};
  return one;
}

monitor::RunView array_of(int count, monitor::RunState state) {
  monitor::RunView view;
  view.state = state;
  view.array = monitor::ArrayView{};
  for (int index = 0; index < count; ++index) view.array->indices.push_back(index);
  return view;
}

std::string table(const monitor::RunView& view) {
  return element_table(view, at(300), {.out = true, .width = 80});
}

TEST_CASE("a row an element, in the order of numbers: state, exit code, time and nodes") {
  auto view = array_of(11, monitor::RunState::running);
  view.array->elements = {element(0, 0), element(1, 139, 0, 5), element(2, std::nullopt, 180)};
  const auto text = table(view);
  CHECK(text.find("      1  failed   139 (SIGSEGV)") != std::string::npos);
  CHECK(text.find("      2  running                     2m  n2") != std::string::npos);
  CHECK(text.find("     10  queued") > text.find("      9  queued"));
  view.state = monitor::RunState::lost;
  CHECK(table(view).find("      2  lost") != std::string::npos);
  CHECK(table(view).find("      3  not started") != std::string::npos);
}

TEST_CASE("done or waiting elements share rows if there are many; failed and running ones don't") {
  auto view = array_of(1000, monitor::RunState::running);
  for (int index = 0; index < 500; ++index) view.array->elements.push_back(element(index, index == 250 ? 1 : 0));
  view.array->elements.push_back(element(500, std::nullopt));
  const auto text = table(view);
  CHECK(std::count(text.begin(), text.end(), '\n') == 6);
  CHECK(text.find("  0-249  done (250)") != std::string::npos);
  CHECK(text.find("    250  failed") != std::string::npos);
  CHECK(text.find("251-499  done (249)") != std::string::npos);
  CHECK(text.find("    500  running") != std::string::npos);
  CHECK(text.find("501-999  queued (499)") != std::string::npos);
}

}  // namespace
}  // namespace rv::cli
