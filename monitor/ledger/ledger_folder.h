// A ledger's entries on the shared file system: each is a file of its own, made by link(2).
#pragma once

#include <map>
#include <string>
#include <vector>

#include "monitor/ledger/ledger.h"

namespace rv::monitor {

/// Reads what is new after `known`, to the end that a fresh listing of the folder shows. Names are opened only when a
/// listing has shown them: a file system that remembers for a minute that a name was not there is never asked about one
/// that is not. No folder: no entries. Throws Error for an entry that can't be read or understood: what it says may
/// decide.
void read_ledger(const std::string& folder, std::vector<Entry>& known);
std::vector<Entry> read_ledger(const std::string& folder);

/// Writes entry number `known.size() + 1`, and reads on. Returns true if that number is the new entry, and false if
/// another process was faster: then `known` has its entries, and the rules must be applied again. Sets time, node and
/// token if they are not set. Throws Error when the folder can't be written.
bool append_entry(const std::string& folder, std::vector<Entry>& known, Entry entry);

/// The same in the ledger of an array's element: `folder` holds all of them.
bool append_element_entry(const std::string& folder, int index, std::vector<Entry>& known, Entry entry);

/// The ledgers of an array's elements lie in one folder, entries named "<index>.<number>", so that one listing shows
/// all that is new.
using ElementLedgers = std::map<int, std::vector<Entry>>;
void read_element_ledgers(const std::string& folder, ElementLedgers& known);

}  // namespace rv::monitor
