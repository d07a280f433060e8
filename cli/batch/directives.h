// The #SBATCH lines of a batch script, read as sbatch reads them (_opt_batch_script() in Slurm's src/sbatch/opt.c).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "planner/slurm_words/sbatch_option.h"

namespace rv::cli {

struct Directive {
  int line = 0;                                   // from 1
  const planner::SbatchOption* option = nullptr;  // never nullptr
  bool has_value = false;
  std::string value;
  std::string typed;  // "-p gpu", "--mem=64G", for people
};

/// Whether a #SBATCH line stands before the first command: sbatch reads no others.
bool has_directives(std::string_view script);

/// The options of the #SBATCH lines before the first command, in their order. `name`: the script's, for messages.
/// Throws Error(usage) that names the line, for what sbatch refuses: an unknown or ambiguous option, a missing value,
/// an unmatched quote, a word that is not an option; and for a heterogeneous job, which is several jobs.
std::vector<Directive> parse_directives(std::string_view script, const std::string& name);

/// The arguments of one line behind "#SBATCH". Quotes group, a backslash keeps a quote or a blank, and an unquoted "#"
/// begins a comment (get_argument() there). Throws std::invalid_argument with the quote that has no end.
std::vector<std::string> directive_arguments(std::string_view line);

}  // namespace rv::cli
