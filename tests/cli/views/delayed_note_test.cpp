#include "cli/views/delayed_note.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <functional>
#include <string>

using rv::cli::DelayedNote;

namespace {

/// What the work writes to stderr.
std::string said_by(const std::function<void()>& work) {
  std::FILE* const file = std::tmpfile();
  REQUIRE(file != nullptr);
  std::fflush(stderr);
  const int before = ::dup(STDERR_FILENO);
  ::dup2(::fileno(file), STDERR_FILENO);
  work();
  std::fflush(stderr);
  ::dup2(before, STDERR_FILENO);
  ::close(before);
  std::rewind(file);
  std::string text(4096, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), file));
  std::fclose(file);
  return text;
}

}  // namespace

TEST_CASE("a note appears after a second, unless the work is shorter or the note is not wanted") {
  const auto note_for = [](int milliseconds, bool wanted) {
    return said_by([&] {
      const DelayedNote note("still asking", wanted);
      ::usleep(static_cast<useconds_t>(milliseconds) * 1000);
    });
  };
  CHECK(note_for(0, true).empty());
  CHECK(note_for(3000, true).starts_with("still asking"));
  CHECK(note_for(1100, false).empty());
}
