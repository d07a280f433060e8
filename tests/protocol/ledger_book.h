// All ledgers that the exploration comes upon, each once: a ledger is a number, and its beginnings are at hand.
#pragma once

#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include "monitor/ledger/ledger.h"

namespace protocol {

class LedgerBook {
 public:
  explicit LedgerBook(const rv::monitor::LedgerRules& rules);

  /// One entry more. `code` tells it from all others; it is made only when it is a new one.
  template <typename Make>
  std::uint32_t with(std::uint32_t ledger, std::uint64_t code, Make&& make) {
    for (const auto& [known, next] : pages_[ledger].next) {
      if (known == code) return next;
    }
    return add(ledger, code, make());
  }
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
    std::vector<std::pair<std::uint64_t, std::uint32_t>> next;
  };
  std::uint32_t add(std::uint32_t ledger, std::uint64_t code, const rv::monitor::Entry& entry);

  rv::monitor::LedgerRules rules_;
  std::deque<Page> pages_;  // its elements do not move
};

}  // namespace protocol
