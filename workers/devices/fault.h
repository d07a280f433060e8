#pragma once

#include <cstdint>
#include <string_view>

namespace rv::workers {

/// What goes wrong on purpose, so that tests see that it is found. Given by the hidden option `--inject
/// KIND@RANK[:AT]`: `never` does not start, `die` kills itself and `hang` stops itself (SIGKILL, SIGSTOP) at its step
/// AT, `stuck` goes on giving signs of life but does no more from step AT, `corrupt` and `nan` change element AT of
/// one result, `slow` works AT milliseconds longer each time. What stays behind: `leak` takes more memory with each
/// step, `descriptor` opens files and closes none, `segment` leaves shared memory, `orphan` a process that goes on.
struct Fault {
  enum class Kind { none, never, die, hang, stuck, corrupt, nan, slow, leak, descriptor, segment, orphan };
  Kind kind = Kind::none;
  int rank = -1;
  std::int64_t at = 0;

  bool hits(Kind which, int who) const { return kind == which && rank == who; }
};

/// Throws std::invalid_argument.
Fault fault_from(std::string_view text);

/// Carries out die, hang and stuck where the fault says so.
void suffer(const Fault& fault, int rank, std::int64_t step);

}  // namespace rv::workers
