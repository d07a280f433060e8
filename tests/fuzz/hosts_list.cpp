// Reads a hosts file and the names given to --hosts.
#include "cli/remote/hosts/hosts_list.h"

#include "tests/fuzz/target.h"

using namespace rv;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto text = fuzz::text_of(data, size);
  fuzz::read_or_refuse([&] { remote::parse_hosts_file(text, "hosts"); });
  fuzz::read_or_refuse([&] { remote::parse_hosts_words(text); });
  return 0;
}
