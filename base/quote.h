// Quotes values for shells and for #SBATCH lines. No other code does this.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace rv {

/// Returns a shell word that bash and sh read back byte for byte; plain words are not quoted. `value` may contain any
/// byte except NUL.
std::string quote(std::string_view value);

/// Returns the arguments, quoted and joined by spaces.
std::string quote_all(std::span<const std::string> arguments);

/// Whether the word has only letters, digits and - _ . / + , : @, and is not empty: no login shell changes it.
bool is_plain_word(std::string_view word);

/// Quotes an argument for an #SBATCH line, which sbatch parses itself, without a shell. Throws Error(usage) for a
/// newline, which an #SBATCH line can't contain.
std::string quote_for_sbatch(std::string_view value);

}  // namespace rv
