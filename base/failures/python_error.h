// Exceptions of Python in a log.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace rv::failures {

struct PythonError {
  std::size_t begin = 0;  // index of the line "Traceback (most recent call last):"
  std::size_t end = 0;    // index of the line with the exception
  std::string text;       // "ValueError: bad shape", without a prefix of the rank or of a logger
  std::string file;       // of the last frame in the program's own files; where there is none, of the last frame
  std::optional<long> line;
  std::string function;
  bool chained = false;  // it was raised while the one before it was handled
};

/// The exceptions that end a traceback, in the order of the log. Lines of other processes between them are passed over.
/// Exceptions that Python ignores itself (in a destructor) are left out.
std::vector<PythonError> python_errors_in(std::span<const std::string> lines);

/// "ValueError: bad shape (train.py:12, in main)".
std::string describe(const PythonError& error);

}  // namespace rv::failures
