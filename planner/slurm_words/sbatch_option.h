// sbatch's options by name: what each takes, and what rv does with it. The one table of them: --sbatch, the #SBATCH
// lines of scripts and the notes of a plan read it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rv::planner {

enum class SbatchValue { none, optional, required };

enum class SbatchUse {
  own,     // rv writes it itself, or an option of rv does the same
  passed,  // goes to sbatch as it is; when the job starts does not depend on it
  weighs,  // goes to sbatch as it is, and may change when or where the job starts: a prediction does not count it
};

struct SbatchOption {
  std::string_view name;  // without dashes
  char letter;            // of the short form; 0: there is none
  SbatchValue value;
  SbatchUse use;
  std::string_view instead;  // for SbatchUse::own: what to write, for people
};

/// The option of this name or of an older one ("share"); nullptr: it is not in the table.
const SbatchOption* find_sbatch_option(std::string_view name);

/// The option of a short form such as 'p'; nullptr: there is none.
const SbatchOption* find_sbatch_option(char letter);

/// The names that begin with `beginning`, as sbatch completes them; only the name itself where it is one.
std::vector<std::string> sbatch_names_from(std::string_view beginning);

std::vector<std::string> sbatch_option_names();

/// Of an option that is passed to sbatch, as JobSpec has it ("begin=16:00", "hold"): whether a prediction leaves it
/// out. So does one that is not in the table.
bool weighs_on_start(std::string_view passed);

}  // namespace rv::planner
