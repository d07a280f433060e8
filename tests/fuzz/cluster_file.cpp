// Reads a snapshot of a cluster with its history.
#include <nlohmann/json.hpp>

#include "base/documents/parse_document.h"
#include "cli/json/values_json.h"
#include "tests/fuzz/target.h"

using namespace rv;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto document = parse_json_or_discard<nlohmann::json>(fuzz::text_of(data, size));
  if (document.is_discarded()) return 0;
  fuzz::read_or_refuse([&] { cli::cluster_from_json(document); });
  fuzz::read_or_refuse([&] { cli::history_from_json(document); });
  return 0;
}
