// Reads the entries of a ledger and the lines of a journal.
#include "monitor/ledger/ledger.h"

#include "monitor/diagnosis/gpu_idleness.h"
#include "monitor/jobs/observed_wait.h"
#include "monitor/run/journal.h"
#include "tests/fuzz/target.h"

using namespace rv;
using namespace rv::monitor;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto text = fuzz::text_of(data, size);
  fuzz::read_or_refuse([&] {
    std::vector<Entry> entries;
    for (std::size_t at = 0; at < text.size();) {
      const auto end = std::min(text.find('\n', at), text.size() - 1);
      if (const auto entry = parse_entry(text.substr(at, end + 1 - at))) entries.push_back(*entry);
      at = end + 1;
    }
    for (const bool chain : {false, true}) {
      const LedgerRules rules{.may_restart = chain, .chain = chain};
      const auto standing = standing_of(entries, rules);
      at_gate(standing, {}, rules);
      at_start(standing, {}, rules);
      may_retry(standing, std::nullopt, rules);
    }
  });
  fuzz::read_or_refuse([&] {
    of_attempt(parse_events(text), 2);
    candidate_journals(parse_events(text), 3);
  });
  fuzz::read_or_refuse([&] { parse_observed_waits(text); });
  fuzz::read_or_refuse([&] { parse_samples(text); });
  return 0;
}
