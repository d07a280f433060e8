#include "cli/remote/hop/marks.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/border/refused_input.h"

namespace rv::remote {

namespace {

constexpr std::size_t longest_mark = 1U << 20U, longest_payload = 256U << 20U;

/// Length of the longest end of `text` that is a beginning of `what`.
std::size_t partial(std::string_view text, std::string_view what) {
  for (std::size_t length = std::min(text.size(), what.size() - 1); length > 0; --length) {
    if (text.ends_with(what.substr(0, length))) return length;
  }
  return 0;
}

/// "log FILE LENGTH …" is followed by LENGTH bytes.
std::size_t payload_length(std::string_view words) {
  if (!words.starts_with("log ")) return 0;
  const std::string_view number = words.substr(std::min(words.find(' ', 4) + 1, words.size()));
  std::size_t length = 0;
  std::from_chars(number.data(), number.data() + number.size(), length);
  return length;
}

}  // namespace

std::string MarkReader::mark_begin(std::string_view token) {
  return "\x01rv " + std::string(token) + " ";
}

std::string mark(std::string_view token, std::string_view words) {
  return "\x01rv " + std::string(token) + " " + std::string(words) + "\x02";
}

void MarkReader::feed(std::string_view bytes, const Sink& sink) {
  held_ += bytes;
  std::string_view left = held_;
  while (!left.empty()) {
    if (no_more_) {
      sink.text(left);
      left = {};
      break;
    }
    const std::size_t begin = left.find(begin_);
    if (begin == std::string_view::npos) {
      const std::size_t kept = partial(left, begin_);
      if (left.size() > kept) sink.text(left.substr(0, left.size() - kept));
      left = left.substr(left.size() - kept);
      break;
    }
    if (begin > 0) sink.text(left.substr(0, begin));
    left.remove_prefix(begin);
    const std::size_t end = left.find('\x02');
    if (std::min(end, left.size()) > longest_mark) throw RefusedInput("a message without an end");
    if (end == std::string_view::npos) break;
    const std::string_view words = left.substr(begin_.size(), end - begin_.size());
    const std::size_t length = payload_length(words);
    if (length > longest_payload) throw RefusedInput(fmt::format("a message of {} MiB", length >> 20U));
    if (left.size() - end - 1 < length) break;
    sink.mark(words, left.substr(end + 1, length));
    left.remove_prefix(end + 1 + length);
  }
  held_.erase(0, held_.size() - left.size());
}

std::string MarkReader::rest() const {
  return held_.starts_with(begin_) ? std::string() : held_;
}

}  // namespace rv::remote
