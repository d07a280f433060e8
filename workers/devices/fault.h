#pragma once

#include <cstdint>
#include <string_view>

namespace rv::workers {

/// An injected fault, so that tests can check that faults are found. It comes from the hidden option `--inject
/// KIND@RANK[:AT]`:
///   never: the rank does not start
///   die, hang: the rank kills itself (SIGKILL) or stops itself (SIGSTOP) at its step AT
///   stuck: the rank sends signs of life, but makes no progress from step AT on
///   corrupt, nan: element AT of one result is changed
///   slow: each step takes AT milliseconds longer
///   leak, descriptor: each step takes more memory, or opens a file that is never closed
///   segment, orphan: shared memory, or a process that continues, is left behind
struct Fault {
  enum class Kind { none, never, die, hang, stuck, corrupt, nan, slow, leak, descriptor, segment, orphan };
  Kind kind = Kind::none;
  int rank = -1;
  std::int64_t at = 0;

  bool hits(Kind which, int who) const { return kind == which && rank == who; }
};

/// Parses the option's value. Throws std::invalid_argument.
Fault fault_from(std::string_view text);

/// Carries out die, hang and stuck if the fault is for this rank and step.
void suffer(const Fault& fault, int rank, std::int64_t step);

}  // namespace rv::workers
