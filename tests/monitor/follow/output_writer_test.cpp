#include "monitor/follow/output_writer.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "base/os/atomic_file.h"
#include "tests/base/temporary_folder.h"

namespace rv::monitor {
namespace {

/// What stands in the file that stdout is after these parts were written, and once more after the flush.
std::pair<std::string, std::string> written(Bars bars, const std::vector<std::string>& parts, bool several = false) {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/out";
  std::fflush(stdout);
  const int before = ::dup(STDOUT_FILENO);
  std::FILE* const file = std::fopen(path.c_str(), "we");
  REQUIRE(file != nullptr);
  ::dup2(::fileno(file), STDOUT_FILENO);
  std::fclose(file);
  OutputWriter writer(several, [] { return false; });
  writer.set_bars(bars);
  for (const auto& part : parts) writer.write(Stream::out, "n1", part);
  const std::string first = os::read_file(path).value_or("");
  writer.flush();
  ::dup2(before, STDOUT_FILENO);
  ::close(before);
  return {first, os::read_file(path).value_or("").substr(first.size())};
}

using Texts = std::pair<std::string, std::string>;

}  // namespace

TEST_CASE("only the last state of an overwritten line is shown, and a final carriage return stays") {
  CHECK(last_state("epoch 1") == "epoch 1");
  CHECK(last_state(" 10%\r 50%\r100%") == "100%");
  CHECK(last_state(" 10%\r100%\r") == "100%\r");
  CHECK(last_state("from Windows\r") == "from Windows\r");
  CHECK(last_state("\r\r") == "\r\r");
  CHECK(last_state("").empty());
}

TEST_CASE("in a file only a bar's last state appears, however its bytes arrive, after its line has ended") {
  const std::vector<std::string> bar{"start\n 1", "0%\r 50%", "\r100", "%\r", "\nend"};
  for (const Bars bars : {Bars::live, Bars::folded}) CHECK(written(bars, bar) == Texts("start\n100%\r\n", "end"));
  CHECK(written(Bars::as_drawn, bar) == Texts("start\n 10%\r 50%\r100%\r\nend", ""));
  CHECK(written(Bars::live, bar, true) == Texts("n1| start\nn1| 100%\r\n", "n1| end\n"));
  CHECK(written(Bars::live, {" 10%\r 20%"}) == Texts("", " 20%"));
}

TEST_CASE("bytes that are not text are unchanged, and an endless line is passed on") {
  const std::string picture("\x89PNG\r\n\x1a\n\0\0\0\rIHDR\r\0\n1\r2\n3", 24);
  CHECK(written(Bars::live, {picture}) == Texts(picture, ""));
  const std::string longest(70'000, 'x');
  CHECK(written(Bars::live, {longest, "y"}) == Texts(longest, "y"));
}

}  // namespace rv::monitor
