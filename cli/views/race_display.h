// A race as it is seen: live lines on a terminal, one plain line per change elsewhere. On stderr, so that stdout stays
// the command's.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "base/os/terminal.h"
#include "monitor/jobs/run_view.h"

namespace rv::cli {

class RaceDisplay {
 public:
  /// `ctrl_c`: what it does: "cancels".
  explicit RaceDisplay(const os::Terminal& terminal, std::string ctrl_c)
      : terminal_(terminal), ctrl_c_(std::move(ctrl_c)), width_(terminal.width) {}
  ~RaceDisplay() { clear(); }
  RaceDisplay(const RaceDisplay&) = delete;
  RaceDisplay& operator=(const RaceDisplay&) = delete;

  /// `trouble`: Slurm's words while it does not answer.
  void show(const monitor::RunRecord& record, const monitor::RunView& view, const std::string& trouble,
            std::chrono::seconds waited);

  /// One live line, only on a terminal.
  void show_line(const std::string& line) {
    if (terminal_.cursor) show_live({line});
  }

  /// Takes the live lines off the screen.
  void clear();

 private:
  void show_live(const std::vector<std::string>& lines);
  void show_plain(const std::vector<std::string>& lines);

  os::Terminal terminal_;
  std::string ctrl_c_;
  int width_;  // when the lines were written
  int live_lines_ = 0;
  std::vector<std::string> shown_;
};

/// One line per candidate: "1  4× A40 on gpu-a40   pending: other jobs are ahead in the queue". Without times.
std::vector<std::string> candidate_lines(const monitor::RunView& view);

}  // namespace rv::cli
