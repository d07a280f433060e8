#include "monitor/follow/output_writer.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <utility>

#include "base/error.h"

namespace rv::monitor {

std::string_view last_state(std::string_view line) {
  const std::size_t last = line.find_last_not_of('\r');
  if (last == std::string_view::npos) return line;
  const std::size_t back = line.rfind('\r', last);
  return back == std::string_view::npos ? line : line.substr(back + 1);
}

namespace {

/// Not fileno: a filtered stream has none (base/border/standard_streams.h).
int descriptor_of(std::FILE* file) {
  return file == stdout ? STDOUT_FILENO : STDERR_FILENO;
}

}  // namespace

void OutputWriter::put(std::FILE* file, std::string_view text) {
  if (given_up_) return;
  std::fflush(file);  // what was printed before
  const int fd = descriptor_of(file);
  if ((bars_ == Bars::as_drawn && !filters_terminals_) || ::isatty(fd) == 0) return send(fd, text);
  send(fd, filters_[fd].feed(text));
}

void OutputWriter::send(int fd, std::string_view text) {
  if (given_up_ || text.empty()) return;
  const auto written = os::write_patiently(fd, text, give_up_);
  const int reason = errno;
  given_up_ = written == os::Written::given_up;
  // A reader that has gone wants no more; a disk that is full must not pass for one that took it all.
  if (written != os::Written::refused || reason == EPIPE) return;
  given_up_ = true;
  throw Error(std::string("can't write the output: ") + std::strerror(reason),
              "free some space there; rv logs shows the whole output again");
}

OutputWriter::~OutputWriter() {
  // Whoever reads nothing now does not get the end of a line either.
  const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(300);
  give_up_ = [until] { return std::chrono::steady_clock::now() > until; };
  try {
    flush();
  } catch (const Error&) {
    return;  // no reader is left to report it to
  }
}

void OutputWriter::write(monitor::Stream stream, std::string_view node, std::string_view text) {
  std::FILE* file = stream == monitor::Stream::out || all_to_stdout_ ? stdout : stderr;
  const bool folding = folds(file);
  if (!several_nodes_ && !folding) return put(file, text);
  // Piece by piece, so that giving up does not wait until a whole log is split into lines.
  constexpr std::size_t piece = 1 << 16;
  for (; !text.empty() && !given_up_; text.remove_prefix(std::min(piece, text.size())))
    write_lines(file, node, text.substr(0, piece), folding);
}

void OutputWriter::write_lines(std::FILE* file, std::string_view node, std::string_view text, bool folding) {
  const std::string before = several_nodes_ ? std::string(node) + "| " : "";
  auto& [held, binary] = unfinished_[{file, std::string(node)}];
  held += text;
  binary = binary || text.find('\0') != std::string_view::npos;
  const bool fold = folding && !binary;
  std::string lines;
  std::size_t start = 0;
  for (auto end = held.find('\n'); end != std::string::npos; end = held.find('\n', start)) {
    const std::string_view line = std::string_view(held).substr(start, end - start);
    lines += before;
    lines += fold ? last_state(line) : line;
    lines += '\n';
    start = end + 1;
  }
  held.erase(0, start);
  // A bar may go on for hours before its line ends.
  if (fold) held = std::string(last_state(held));
  constexpr std::size_t no_line = 1 << 16;
  if (!several_nodes_ && (binary || held.size() > no_line)) lines += std::exchange(held, {});
  if (!lines.empty()) put(file, lines);
}

bool OutputWriter::folds(std::FILE* file) const {
  if (bars_ != Bars::live || several_nodes_) return bars_ != Bars::as_drawn;
  return ::isatty(descriptor_of(file)) == 0;
}

void OutputWriter::flush() {
  for (auto& [key, held] : unfinished_) {
    if (!held.text.empty()) put(key.first, several_nodes_ ? key.second + "| " + held.text + "\n" : held.text);
    held.text.clear();
  }
  for (auto& [fd, filter] : filters_) send(fd, filter.finish());
}

}  // namespace rv::monitor
