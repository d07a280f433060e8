// A ledger's entries on the shared file system: each is a file of its own, made by link(2).
#pragma once

#include <map>
#include <string>
#include <vector>

#include "monitor/ledger/ledger.h"

namespace rv::monitor {

/// Lists the folder and reads the entries after `known`. It opens only names that the listing shows: some file systems
/// remember for a minute that a name did not exist, so asking for the next name would hide it. A folder that does not
/// exist has no entries. Throws Error if an entry can't be read or parsed, because that entry may decide.
void read_ledger(const std::string& folder, std::vector<Entry>& known);
std::vector<Entry> read_ledger(const std::string& folder);

/// Makes entry number `known.size() + 1`, then reads the ledger. Returns true if that number is the new entry, and
/// false if another process was faster: then `known` has its entries, and the rules must be applied again. Sets time,
/// node and token if they are not set. Throws Error when the folder can't be written.
bool append_entry(const std::string& folder, std::vector<Entry>& known, Entry entry);

/// The same in the ledger of the element `index` of an array. `folder` has the ledgers of all elements.
bool append_element_entry(const std::string& folder, int index, std::vector<Entry>& known, Entry entry);

/// The ledgers of an array's elements. They are in one folder, with entries named "<index>.<number>", so that one
/// listing shows all new entries.
using ElementLedgers = std::map<int, std::vector<Entry>>;
void read_element_ledgers(const std::string& folder, ElementLedgers& known);

}  // namespace rv::monitor
