// The output of a run's processes on this process's own stdout and stderr.
#pragma once

#include <cstdio>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "base/os/patient_write.h"
#include "base/terminal_text.h"
#include "monitor/follow/log_follower.h"

namespace rv::monitor {

/// What a terminal would show of a line (without its end) that overwrites itself by carriage returns, as progress bars
/// do: what stands behind the last one. Those at its very end stay.
std::string_view last_state(std::string_view line);

/// What is written of lines that overwrite themselves. Bytes that are no text (a zero byte is among them) stay as they
/// are.
enum class Bars {
  as_drawn,  // every state, and byte for byte on a terminal, too
  folded,    // the last one, once the line ends
  live,      // the last one; a terminal gets one node's bytes as they come, and shows the same by itself
};

/// One node: bytes as they come, or whole lines where bars are folded. Several nodes: whole lines, each behind its
/// node's name, so that lines never mix. What a terminal gets passes a TerminalFilter, unless bars are as drawn. Throws
/// Error where the disk is full. When `give_up` says so while something is to be written, this and all that would
/// follow is dropped.
class OutputWriter {
 public:
  OutputWriter(bool several_nodes, os::GiveUp give_up) : several_nodes_(several_nodes), give_up_(std::move(give_up)) {}
  /// Before the first write.
  void set_several_nodes(bool several_nodes) { several_nodes_ = several_nodes; }
  /// As drawn where nothing else is asked for. Before the first write.
  void set_bars(Bars bars) { bars_ = bars; }
  /// What a terminal gets is filtered however bars are shown. Before the first write.
  void filter_terminals() { filters_terminals_ = true; }
  /// What is written to stderr goes to stdout as well.
  void all_to_stdout() { all_to_stdout_ = true; }
  ~OutputWriter();
  OutputWriter(const OutputWriter&) = delete;
  OutputWriter& operator=(const OutputWriter&) = delete;

  void write(monitor::Stream stream, std::string_view node, std::string_view text);
  /// Writes what has no line end yet.
  void flush();
  bool given_up() const { return given_up_; }

 private:
  struct Held {
    std::string text;     // what has no line end yet
    bool binary = false;  // from here on nothing is folded
  };

  void put(std::FILE* file, std::string_view text);
  void send(int fd, std::string_view text);
  void write_lines(std::FILE* file, std::string_view node, std::string_view text, bool folding);
  bool folds(std::FILE* file) const;

  bool several_nodes_;
  os::GiveUp give_up_;
  bool given_up_ = false;
  bool all_to_stdout_ = false;
  bool filters_terminals_ = false;
  Bars bars_ = Bars::as_drawn;
  std::map<std::pair<std::FILE*, std::string>, Held> unfinished_;
  std::map<int, TerminalFilter> filters_;  // of the descriptors that are terminals
};

}  // namespace rv::monitor
