#include "monitor/tasks/task_numbers.h"

#include <doctest/doctest.h>

namespace rv::monitor {

using Numbers = std::vector<int>;

TEST_CASE("numbers of tasks are written as ranges and read again") {
  CHECK(numbers_text({}) == "-");
  CHECK(numbers_text({3}) == "3");
  CHECK(numbers_text({5, 1, 2, 3, 3, 9, 8}) == "1-3,5,8-9");
  CHECK(numbers_in("-", 10) == Numbers{});
  CHECK(numbers_in("1-3,5,8-9", 10) == Numbers{1, 2, 3, 5, 8, 9});
}

TEST_CASE("another text is not a list of numbers") {
  for (const char* text : {"", "0", "x", "1-", "-1", "3-1", "1,,2", "1,", "11", "1-11", "1 2", "99999999999"}) {
    CAPTURE(text);
    CHECK(!numbers_in(text, 10));
  }
}

}  // namespace rv::monitor
