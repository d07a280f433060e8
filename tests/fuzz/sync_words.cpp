// Reads what ssh, rsync and the other rv print while files are pushed and fetched.
#include "cli/remote/hop/session_settings.h"
#include "cli/remote/sync/file_state.h"
#include "cli/remote/sync/rsync_output.h"
#include "cli/remote/sync/rsync_shell.h"
#include "tests/fuzz/target.h"

using namespace rv;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto text = fuzz::text_of(data, size);
  fuzz::read_or_refuse([&] { remote::sent_environment(remote::parse_session_settings(text), {"LANG=C", "Q=1"}); });
  fuzz::read_or_refuse([&] { remote::session_lines(text); });
  fuzz::read_or_refuse([&] { sync::parse_transfer(text); });
  fuzz::read_or_refuse([&] { sync::unescaped(text); });
  fuzz::read_or_refuse([&] { sync::parse_progress(text); });
  fuzz::read_or_refuse([&] { sync::parse_failure(text); });
  fuzz::read_or_refuse([&] { sync::place_of(text); });
  fuzz::read_or_refuse([&] { sync::parse_states(text); });
  return 0;
}
