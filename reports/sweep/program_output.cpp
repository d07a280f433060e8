#include "reports/sweep/program_output.h"

#include <algorithm>

#include "base/failures/message.h"

namespace rv::sweep {

void ProgramOutput::read(std::string line) {
  std::replace(line.begin(), line.end(), '\0', ' ');
  failures::for_each_piece(line, [&](std::string_view piece) {
    if (reader_.read(std::string(piece)) && memory_) went_on_ = true;
    if (auto message = memory_message_in(piece)) {
      memory_ = std::move(message);
      went_on_ = false;
    }
  });
}

}  // namespace rv::sweep
