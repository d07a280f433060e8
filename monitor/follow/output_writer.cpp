#include "monitor/follow/output_writer.h"

#include <chrono>
#include <cstdio>

namespace rv::monitor {

void OutputWriter::put(std::FILE* file, std::string_view text) {
  if (given_up_) return;
  std::fflush(file);  // what was printed before
  given_up_ = os::write_patiently(::fileno(file), text, give_up_) == os::Written::given_up;
}

OutputWriter::~OutputWriter() {
  // Whoever reads nothing now does not get the end of a line either.
  const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(300);
  give_up_ = [until] { return std::chrono::steady_clock::now() > until; };
  flush();
}

void OutputWriter::write(monitor::Stream stream, std::string_view node, std::string_view text) {
  std::FILE* file = stream == monitor::Stream::out || all_to_stdout_ ? stdout : stderr;
  if (!several_nodes_) return put(file, text);
  auto& held = unfinished_[{file, std::string(node)}];
  held += text;
  std::string lines;
  std::size_t start = 0;
  for (auto end = held.find('\n'); end != std::string::npos; end = held.find('\n', start)) {
    lines += std::string(node) + "| " + held.substr(start, end - start + 1);
    start = end + 1;
  }
  held.erase(0, start);
  if (!lines.empty()) put(file, lines);
}

void OutputWriter::flush() {
  for (auto& [key, text] : unfinished_) {
    if (!text.empty()) put(key.first, key.second + "| " + text + "\n");
    text.clear();
  }
}

}  // namespace rv::monitor
