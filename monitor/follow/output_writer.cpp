#include "monitor/follow/output_writer.h"

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>

#include "base/error.h"

namespace rv::monitor {

std::string_view last_state(std::string_view line) {
  const std::size_t last = line.find_last_not_of('\r');
  if (last == std::string_view::npos) return line;
  const std::size_t back = line.rfind('\r', last);
  return back == std::string_view::npos ? line : line.substr(back + 1);
}

void OutputWriter::put(std::FILE* file, std::string_view text) {
  if (given_up_) return;
  std::fflush(file);  // what was printed before
  const auto written = os::write_patiently(::fileno(file), text, give_up_);
  const int reason = errno;
  given_up_ = written == os::Written::given_up;
  // A reader that has gone wants no more; a disk that is full must not pass for one that took it all.
  if (written != os::Written::refused || reason == EPIPE) return;
  given_up_ = true;
  throw Error(std::string("can't write the output: ") + std::strerror(reason),
              "make room there; rv logs shows it all again");
}

OutputWriter::~OutputWriter() {
  // Whoever reads nothing now does not get the end of a line either.
  const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(300);
  give_up_ = [until] { return std::chrono::steady_clock::now() > until; };
  try {
    flush();
  } catch (const Error&) {
    return;  // nobody is left to be told
  }
}

void OutputWriter::write(monitor::Stream stream, std::string_view node, std::string_view text) {
  std::FILE* file = stream == monitor::Stream::out || all_to_stdout_ ? stdout : stderr;
  if (!several_nodes_ && !folds_) return put(file, text);
  const std::string before = several_nodes_ ? std::string(node) + "| " : "";
  auto& held = unfinished_[{file, std::string(node)}];
  held += text;
  std::string lines;
  std::size_t start = 0;
  for (auto end = held.find('\n'); end != std::string::npos; end = held.find('\n', start)) {
    const std::string_view line = std::string_view(held).substr(start, end - start);
    lines += before;
    lines += folds_ ? last_state(line) : line;
    lines += '\n';
    start = end + 1;
  }
  held.erase(0, start);
  // A bar may go on for hours before its line ends.
  if (folds_) held = std::string(last_state(held));
  if (!lines.empty()) put(file, lines);
}

void OutputWriter::flush() {
  for (auto& [key, text] : unfinished_) {
    if (!text.empty()) put(key.first, several_nodes_ ? key.second + "| " + text + "\n" : text);
    text.clear();
  }
}

}  // namespace rv::monitor
