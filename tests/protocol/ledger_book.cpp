#include "ledger_book.h"

namespace protocol {

using rv::monitor::Entry;

LedgerBook::LedgerBook(const rv::monitor::LedgerRules& rules) : rules_(rules) {
  pages_.push_back({.beginnings = {0}, .last = {}, .standing = {}, .open = {}, .next = {}});
}

std::uint32_t LedgerBook::add(std::uint32_t ledger, std::uint64_t code, const Entry& entry) {
  const auto number = static_cast<std::uint32_t>(pages_.size());
  pages_[ledger].next.emplace_back(code, number);
  Page page{.beginnings = pages_[ledger].beginnings, .last = entry, .standing = {}, .open = {}, .next = {}};
  page.beginnings.push_back(number);
  pages_.push_back(std::move(page));
  auto all = entries(number);
  pages_.back().standing = rv::monitor::standing_of(all, rules_);
  std::erase_if(all, [](const Entry& one) { return one.kind == rv::monitor::EntryKind::outcome; });
  pages_.back().open = rv::monitor::standing_of(all, rules_);
  return number;
}

std::vector<Entry> LedgerBook::entries(std::uint32_t ledger) const {
  std::vector<Entry> all;
  const auto& beginnings = pages_[ledger].beginnings;
  for (std::size_t i = 1; i < beginnings.size(); ++i) all.push_back(pages_[beginnings[i]].last);
  return all;
}

}  // namespace protocol
