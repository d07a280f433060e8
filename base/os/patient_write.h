// Writes to a reader that may be slow or stopped, without blocking forever.
#pragma once

#include <functional>
#include <string_view>

namespace rv::os {

/// Returns true if the writer should stop waiting for the reader.
using GiveUp = std::function<bool()>;

/// Waits until `fd` is writable. Returns false if `give_up`, called at least every 50 ms, returns true before.
bool wait_to_write(int fd, const GiveUp& give_up);

enum class Written {
  all,
  given_up,  // give_up returned true before all bytes were written
  refused,   // the reader is gone, or the disk is full
};

/// Writes in parts of at most PIPE_BUF bytes, which a pipe accepts as a whole.
Written write_patiently(int fd, std::string_view bytes, const GiveUp& give_up);

/// Writes at most PIPE_BUF bytes to stderr, if it is writable within 200 ms, and drops the rest: a final message must
/// not delay the exit.
void write_briefly(std::string_view text);

}  // namespace rv::os
