#include "workers/ranks/progress_line.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <memory>

using namespace rv::workers;
using std::chrono::milliseconds;
using std::chrono::seconds;

namespace {

/// A stream, and what has been written to it since last asked.
struct Stream {
  std::string take() {
    std::fflush(file);
    std::string text(data, size);
    auto news = text.substr(read);
    read = text.size();
    return news;
  }
  Stream() : file(open_memstream(&data, &size)) {}
  ~Stream() {
    std::fclose(file);
    std::free(data);
  }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  char* data = nullptr;
  std::size_t size = 0, read = 0;
  std::FILE* file;
};

}  // namespace

TEST_CASE("on a terminal what a run does is shown after a second of silence, and written over") {
  Clock::time_point now{seconds(100)};
  Stream stream;
  ProgressLine line(stream.file, true, "rv-train", now);
  line.show("training step 1 of 9", now += milliseconds(900));
  CHECK(stream.take().empty());
  line.show("", now += milliseconds(200));
  CHECK(stream.take().empty());
  line.show("training step 2 of 9", now);
  CHECK(stream.take() == "\r\033[Krv-train: training step 2 of 9\r");
  line.show("training step 3 of 9", now += milliseconds(100));
  CHECK(stream.take().empty());
  line.show("training step 4 of 9", now += milliseconds(100));
  CHECK(stream.take() == "\r\033[Krv-train: training step 4 of 9\r");
  line.show("training step 4 of 9", now += seconds(5));
  CHECK(stream.take().empty());

  line.clear(now);
  CHECK(stream.take() == "\r\033[K");
  line.clear(now);
  CHECK(stream.take().empty());
  line.show("training step 4 of 9", now += milliseconds(900));
  CHECK(stream.take().empty());
  line.show("training step 4 of 9", now += milliseconds(100));
  CHECK(stream.take() == "\r\033[Krv-train: training step 4 of 9\r");
}

TEST_CASE("a line that a terminal would wrap is cut") {
  Clock::time_point now{seconds(100)};
  Stream stream;
  ProgressLine line(stream.file, true, "rv-io", now);
  line.show(std::string(200, 'x'), now + seconds(1));
  CHECK(stream.take() == "\r\033[Krv-io: " + std::string(69, 'x') + "\r");
}

TEST_CASE("elsewhere what a run does is a line every half minute, if it is another") {
  Clock::time_point now{seconds(100)};
  Stream stream;
  ProgressLine line(stream.file, false, "rv-train", now);
  line.show("training step 1 of 9", now += seconds(29));
  CHECK(stream.take().empty());
  line.show("training step 2 of 9", now += seconds(1));
  CHECK(stream.take() == "rv-train: training step 2 of 9\n");
  line.show("training step 3 of 9", now += seconds(20));
  CHECK(stream.take().empty());
  line.clear(now);
  CHECK(stream.take().empty());
  line.show("training step 4 of 9", now += seconds(29));
  CHECK(stream.take().empty());
  line.show("training step 4 of 9", now += seconds(1));
  CHECK(stream.take() == "rv-train: training step 4 of 9\n");
  line.show("training step 4 of 9", now += seconds(60));
  CHECK(stream.take().empty());
}
