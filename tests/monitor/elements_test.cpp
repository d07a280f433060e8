#include "monitor/elements.h"

#include <doctest/doctest.h>

#include "monitor/atomic_file.h"
#include "temporary_folder.h"

using namespace rv::monitor;

namespace {

Element ended(int index, int code, ExitKind kind = ExitKind::exited) {
  return {index,
          ExitRecord{.code = code, .time = TimePoint(std::chrono::seconds(100 + index)), .job = {7}, .kind = kind}};
}

}  // namespace

TEST_CASE("an array is over when every element is, and its code is the first bad one's") {
  const std::vector<int> indices{0, 1, 2};
  CHECK(!end_of_all({}, indices));
  CHECK(!end_of_all({ended(0, 0), {1, std::nullopt}, ended(2, 0)}, indices));
  CHECK(!end_of_all({ended(0, 0), ended(2, 0)}, indices));
  CHECK(end_of_all({ended(0, 0), ended(1, 0), ended(2, 0)}, indices)->code == 0);
  const auto bad = end_of_all({ended(0, 0), ended(1, 4), ended(2, 3)}, indices);
  CHECK(bad->code == 4);
  CHECK(bad->time == TimePoint(std::chrono::seconds(102)));
  CHECK(end_of_all({ended(0, 0), ended(1, 0, ExitKind::terminated), ended(2, 0)}, indices)->kind ==
        ExitKind::terminated);
}

TEST_CASE("in words") {
  const std::vector<int> indices{0, 1, 2, 3, 5, 6};
  const std::vector<Element> elements{ended(0, 0), ended(1, 1), {2, std::nullopt}, ended(3, 0, ExitKind::terminated)};
  CHECK(element_words(elements, indices) == "1 of 6 elements done, 2 failed (1, 3)");
  CHECK(element_words({}, indices) == "0 of 6 elements done");
  CHECK(without_end(elements, indices) == "2, 5, 6");
  CHECK(index_ranges({1, 2, 3, 7, 9, 10}) == "1-3, 7, 9, 10");
  CHECK(index_ranges({0, 2, 4, 6, 8, 10, 12, 14, 16}) == "0, 2, 4, 6, 8, 10, 12, 14, …");
}

TEST_CASE("read from the folder, foreign names passed over") {
  const TemporaryFolder runs;
  const RunFolder folder = RunFolder::create(runs.path());
  CHECK(read_elements(folder).empty());
  make_folder(folder.file("elements"));
  for (const auto* name : {"elements/10", "elements/2", "elements/x"}) make_folder(folder.file(name));
  write_file(folder.file("elements/10/exit"), "3 1000 77 exited\n");
  const auto elements = read_elements(folder);
  REQUIRE(elements.size() == 2);
  CHECK(elements[0].index == 2);
  CHECK(!elements[0].exit);
  CHECK(elements[1].index == 10);
  CHECK(elements[1].exit->code == 3);
}
