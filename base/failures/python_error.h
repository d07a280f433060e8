// Finds Python exceptions in a log.
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
  std::string file;       // of the last frame in the program's own files, or of the last frame if there is none
  std::optional<long> line;
  std::string function;
  bool chained = false;  // raised while the previous exception was handled
};

/// Returns the exceptions that end a traceback, in the order of the log. Lines of other processes between the lines of
/// a traceback are skipped. Exceptions that Python ignores (in a destructor) are left out.
std::vector<PythonError> python_errors_in(std::span<const std::string> lines);

/// "ValueError: bad shape (train.py:12, in main)".
std::string describe(const PythonError& error);

}  // namespace rv::failures
