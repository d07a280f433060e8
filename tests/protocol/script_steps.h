// What each step of the model is in a script: the operations on the run folder, in their order. Written down once: the
// model takes these steps, and trace_test.cpp sees rendered scripts take them.
//
// <n> is the next number of the ledger, .new the entry before it is linked, .exit the file that is kept for the exit.
// A poll that finds nothing new appears only as a listing.
#pragma once

#include <string>
#include <vector>

#include "model_state.h"

namespace protocol {

using Operations = std::vector<std::string>;

inline Operations operations_of(Step step) {
  switch (step) {
    case Step::none:
    case Step::copy:
    case Step::leave:
      return {};
    case Step::look_at_gate:
      return {"list ledger"};
    case Step::link_claim:
      return {"write ledger/.new", "sync ledger/.new", "link ledger/.new ledger/<n>", "list ledger",
              "read ledger/<n>",   "sync ledger",      "unlink ledger/.new"};
    case Step::look_at_start:
      return {"write ledger/.exit", "sync ledger/.exit", "list ledger"};
    case Step::link_start:
      return {"write ledger/.new", "sync ledger/.new", "link ledger/.new ledger/<n>", "list ledger",
              "read ledger/<n>",   "sync ledger",      "unlink ledger/.new",          "command"};
    case Step::link_exit:
      return {"write ledger/.exit", "sync ledger/.exit", "list ledger", "link ledger/.exit ledger/<n>",
              "list ledger",        "read ledger/<n>",   "sync ledger", "unlink ledger/.exit"};
  }
  return {};
}

// A single element of an array: the first element makes the run's claim.
inline Operations element_operations() {
  return {"list ledger",
          // the claim
          "write ledger/.new", "sync ledger/.new", "link ledger/.new ledger/1", "list ledger", "read ledger/1",
          "sync ledger", "unlink ledger/.new",
          // may it start at all
          "list ledger", "list elements",
          // set up; may it start now
          "write elements/.exit", "sync elements/.exit", "list ledger", "list elements",
          // its start
          "write elements/.new", "sync elements/.new", "link elements/.new elements/0.1", "list elements",
          "read elements/0.1", "sync elements", "unlink elements/.new",
          // whether the run was stopped meanwhile: a poll that can't be older than the start
          "write ledger/.new", "unlink ledger/.new", "list ledger", "command",
          // its exit
          "write elements/.exit", "sync elements/.exit", "list elements", "link elements/.exit elements/0.2",
          "list elements", "read elements/0.2", "sync elements", "unlink elements/.exit"};
}

// A chain's first segment, which is also its last.
inline Operations chain_operations() {
  return {"list ledger",
          // the claim
          "write ledger/.new", "sync ledger/.new", "link ledger/.new ledger/1", "list ledger", "read ledger/1",
          "sync ledger", "unlink ledger/.new", "list ledger",
          // the segment
          "write ledger/.exit", "sync ledger/.exit", "list ledger", "write chain/.end", "sync chain/.end",
          "write ledger/.new", "sync ledger/.new", "link ledger/.new ledger/2", "list ledger", "read ledger/2",
          "sync ledger", "unlink ledger/.new",
          // the application
          "write chain/1.before.new", "rename chain/1.before.new", "list chain", "command", "list chain",
          "read chain/1.before", "list chain",
          // the segment's end, once
          "write chain/.end", "sync chain/.end", "link chain/.end chain/1.end", "list chain", "read chain/1.end",
          "sync chain", "unlink chain/.end",
          // the run's exit
          "write ledger/.exit", "sync ledger/.exit", "list ledger", "link ledger/.exit ledger/3", "list ledger",
          "read ledger/3", "sync ledger", "unlink ledger/.exit"};
}

}  // namespace protocol
