// The table of sbatch's options: their values, and how rv treats them. --sbatch, the #SBATCH lines of scripts and the
// notes of a plan use it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rv::planner {

enum class SbatchValue { none, optional, required };

enum class SbatchUse {
  own,     // rv sets it, or has its own option for it
  passed,  // passed to sbatch unchanged; does not affect the start of the job
  weighs,  // passed to sbatch unchanged; may affect the start of the job, but predictions ignore it
};

struct SbatchOption {
  std::string_view name;  // without dashes
  char letter;            // short form; 0: none
  SbatchValue value;
  SbatchUse use;
  std::string_view instead;  // for SbatchUse::own: text that says what to write
};

/// The option with this name, or with this older name ("share"); null if the table does not have it.
const SbatchOption* find_sbatch_option(std::string_view name);

/// The option with a short form such as 'p'; null if there is none.
const SbatchOption* find_sbatch_option(char letter);

/// Returns the names that begin with `beginning`, as sbatch completes them; only `beginning` if that is itself a name.
std::vector<std::string> sbatch_names_from(std::string_view beginning);

std::vector<std::string> sbatch_option_names();

/// Whether predictions ignore this option of JobSpec::sbatch ("begin=16:00", "hold") although it may affect the start.
/// True for an option that is not in the table.
bool weighs_on_start(std::string_view passed);

}  // namespace rv::planner
