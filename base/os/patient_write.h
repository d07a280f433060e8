// Writing to whoever reads slowly, or not at all, without being stuck there.
#pragma once

#include <functional>
#include <string_view>

namespace rv::os {

/// True: what waits for the reader is to be given up.
using GiveUp = std::function<bool()>;

/// Waits until `fd` takes something. False: `give_up` said so first, asked at least every 50 ms.
bool wait_to_write(int fd, const GiveUp& give_up);

enum class Written {
  all,
  given_up,  // in between
  refused,   // the reader has gone, the disk is full
};

/// Writes in parts that a pipe takes whole.
Written write_patiently(int fd, std::string_view bytes, const GiveUp& give_up);

/// Writes to stderr what it takes at once, nothing when its reader stands still: a last word holds nobody up.
void say_last_word(std::string_view text);

}  // namespace rv::os
