#include "workers/ranks/progress_line.h"

#include <fmt/format.h>

#include <chrono>

namespace rv::workers {
namespace {

constexpr auto silence_on_terminal = std::chrono::seconds(1), silence_elsewhere = std::chrono::seconds(30);
constexpr auto refresh = std::chrono::milliseconds(200);
/// Short enough for any terminal: a line that wraps can't be overwritten.
constexpr std::size_t most_characters = 76;

}  // namespace

ProgressLine::ProgressLine(std::FILE* to, bool terminal, std::string program, Time now)
    : to_(to),
      terminal_(terminal),
      program_(std::move(program)),
      due_(now + (terminal ? silence_on_terminal : silence_elsewhere)) {}

void ProgressLine::show(const std::string& doing, Time now) {
  if (doing.empty() || now < due_ || doing == shown_) return;
  shown_ = doing;
  if (terminal_) {
    // The cursor returns to the beginning of the line, so that any later output overwrites it.
    fmt::print(to_, "\r\033[K{}\r", fmt::format("{}: {}", program_, doing).substr(0, most_characters));
    due_ = now + refresh;
  } else {
    fmt::print(to_, "{}: {}\n", program_, doing);
    due_ = now + silence_elsewhere;
  }
  std::fflush(to_);
}

void ProgressLine::clear(Time now) {
  if (terminal_ && !shown_.empty()) {
    fmt::print(to_, "\r\033[K");
    std::fflush(to_);
  }
  shown_.clear();
  due_ = now + (terminal_ ? silence_on_terminal : silence_elsewhere);
}

}  // namespace rv::workers
