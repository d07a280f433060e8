#include "cli/remote/hop/run_output.h"

#include "base/os/interrupt.h"
#include "base/os/patient_write.h"
#include "cli/remote/hop/login_side.h"

namespace rv::remote {

RunOutput::RunOutput(const std::string& folder, const std::optional<HopRequest>& hop, const std::string& home,
                     const OutputChoice& choice)
    : choice_(choice), logs_(folder + "/logs", choice.logs) {
  if (choice.tail >= 0) logs_.start_at_tail(choice.tail);
  if (!hop || !hop->follows) return;
  channel_.emplace(*hop);
  channel_->follow(folder.substr(folder.rfind('/') + 1), notes_folder(home));
  if (channel_->resumed()) channel_->resume(logs_);
}

void RunOutput::begin(bool several_nodes) {
  if (begun()) return;
  writer_.emplace(several_nodes, os::interrupt_waits);
  // A single requested stream is the result and goes to stdout.
  if (choice_.only_err) writer_->all_to_stdout();
  writer_->set_bars(choice_.bars);
  if (channel_) channel_->begin_output(several_nodes, choice_.only_err, choice_.bars);
}

void RunOutput::write(monitor::Stream stream, std::string_view node, std::string_view text) {
  const bool wanted = stream == monitor::Stream::out ? !choice_.only_err : !choice_.only_out;
  if (!wanted) return;
  if (before_each_) before_each_();
  if (channel_) {
    channel_->write(stream, node, text, logs_.offset_of(stream, node));
  } else {
    writer_->write(stream, node, text);
  }
}

}  // namespace rv::remote
