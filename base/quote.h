// The one place where a value becomes a word of shell.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace rv {

/// A word that bash and sh read back byte for byte; plain words stay as they are. Any byte but NUL.
std::string quote(std::string_view value);

/// The words of an argument vector, quoted and joined by spaces.
std::string quote_all(std::span<const std::string> words);

/// Letters, digits and - _ . / + , : @ only, and not empty: every login shell reads it as it stands.
bool is_plain_word(std::string_view word);

/// An argument of an #SBATCH line, in the quoting that sbatch itself removes (it is not a shell). Throws Error(usage)
/// for a newline, which no #SBATCH line can hold.
std::string quote_for_sbatch(std::string_view value);

}  // namespace rv
