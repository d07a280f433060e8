// rv's own words inside the stream that a command on the login node writes to stdout.
//
// "\x01rv TOKEN WORDS\x02", the token new for every command, so that no program writes one by chance and everything
// else passes byte for byte. They say when rv began there (what came before is the login shell's chatter), how the
// command ended (ssh uses exit code 255 for a lost connection as well), and the position of a run's output in its log.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace rv::remote {

std::string mark(std::string_view token, std::string_view words);

class MarkReader {
 public:
  struct Sink {
    std::function<void(std::string_view bytes)> text;
    /// `payload`: the bytes that belong to a "log" mark, whose third word is their number; else empty.
    std::function<void(std::string_view words, std::string_view payload)> mark;
  };

  explicit MarkReader(std::string_view token) : begin_(mark_begin(token)) {}

  /// Hands over all that is complete. A mark or a payload that is cut off is held back. Throws RefusedInput for a mark
  /// or a payload that is longer than rv ever sends: it would have to be held in memory.
  void feed(std::string_view bytes, const Sink& sink);
  /// From here on no text is a mark and none is held back. Called after a mark.
  void no_more() { no_more_ = true; }
  /// The text held back at the stream's end: never a mark's payload, which may be resent.
  std::string rest() const;

 private:
  static std::string mark_begin(std::string_view token);

  std::string begin_;
  std::string held_;
  bool no_more_ = false;
};

}  // namespace rv::remote
