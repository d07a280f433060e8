// Reads what iperf3 and fio print, and files of /proc.
#include "shared/system/process_table.h"
#include "tests/fuzz/target.h"
#include "workers/network/iperf3.h"
#include "workers/sampling/proc_text.h"
#include "workers/storage/fio.h"

using namespace rv;
using namespace rv::workers;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto text = fuzz::text_of(data, size);
  read_iperf3(std::string(text));
  read_fio(std::string(text), true);
  parse_cpu_table(text);
  parse_host_memory(text);
  os::parse_process_stat(text);
  parse_process_io(text);
  return 0;
}
