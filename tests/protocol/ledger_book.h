// All ledgers that the exploration comes upon, each once: a ledger is a number, and its beginnings are at hand.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "monitor/ledger.h"

namespace protocol {

class LedgerBook {
 public:
  explicit LedgerBook(const rv::monitor::LedgerRules& rules);

  std::uint32_t with(std::uint32_t ledger, const rv::monitor::Entry& entry);
  int length(std::uint32_t ledger) const { return static_cast<int>(pages_[ledger].beginnings.size()) - 1; }
  /// The ledger of its first `length` entries.
  std::uint32_t beginning(std::uint32_t ledger, int length) const {
    return pages_[ledger].beginnings[static_cast<std::size_t>(length)];
  }
  const rv::monitor::Standing& standing(std::uint32_t ledger) const { return pages_[ledger].standing; }
  /// The same for the gate, where outcomes do not close it.
  const rv::monitor::Standing& open_standing(std::uint32_t ledger) const { return pages_[ledger].open; }
  std::vector<rv::monitor::Entry> entries(std::uint32_t ledger) const;

 private:
  struct Page {
    std::vector<std::uint32_t> beginnings;  // of length 0, 1, … up to itself
    rv::monitor::Entry last;
    rv::monitor::Standing standing, open;
    std::map<std::vector<int>, std::uint32_t> next;
  };
  rv::monitor::LedgerRules rules_;
  std::vector<Page> pages_;
};

}  // namespace protocol
