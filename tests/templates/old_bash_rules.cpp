#include "old_bash_rules.h"

#include <regex>
#include <sstream>

namespace {

struct Rule {
  const char* why;
  std::regex found;
};

const std::vector<Rule>& rules() {
  static const std::vector<Rule> all = {
      {"a variable of bash 5, which is unset before: give it a default with :-",
       std::regex(R"(\b(EPOCHREALTIME|EPOCHSECONDS|SRANDOM|BASH_ARGV0|BASH_MONOSECONDS)\b(?!:-))")},
      {"${name@Q} and its like are bash 4.4", std::regex(R"(\$\{!?[A-Za-z_0-9]+(\[[^\]]*\])?@[A-Za-z]\})")},
      {"namerefs are bash 4.3", std::regex(R"(\b(local|declare|typeset)\s+(-[A-Za-z]+\s+)*-[A-Za-z]*n)")},
      {"inheriting a local variable is bash 5.1",
       std::regex(R"(\b(local|declare|typeset)\s+(-[A-Za-z]+\s+)*-[A-Za-z]*I)")},
      {"local - is bash 4.4", std::regex(R"(\blocal\s+-(\s|;|$))")},
      {"wait -n is bash 4.3, -f 5.0, -p 5.1", std::regex(R"(\bwait\s+(-[a-z]+\s+)*-[a-z]*[nfp])")},
      {"mapfile -d is bash 4.4", std::regex(R"(\b(mapfile|readarray)\s+([^|;&<]*\s)?-[a-z]*d)")},
      {"-v with a subscript is bash 4.3", std::regex(R"(-v\s+["']?[A-Za-z_]\w*\[)")},
      {"-R is bash 4.3", std::regex(R"((\[\[?|\btest)\s+(!\s+)?-R\s)")},
      {"unset -n is bash 4.3", std::regex(R"(\bunset\s+(-[a-z]+\s+)*-[a-z]*n)")},
      {"printf %Q is bash 5.2", std::regex(R"(\bprintf\b.*%[-0-9.]*Q)")},
      {"bash 4.2 keeps the quotes of a replacement that stands in quotes: put it into a variable",
       std::regex(R"(\$\{[A-Za-z_]\w*(\[[^\]]*\])?//?([^}/\\]|\\.)+/["'])")},
      {"negative subscripts are bash 4.3", std::regex(R"(\b[A-Za-z_]\w*\[\s*-\s*[0-9]+\s*\])")},
      {"the time without an argument is bash 4.3: give -1",
       std::regex(R"(\bprintf\s+(-v\s+\w+\s+)?(['"])[^'"%]*%\([^)]*\)T[^'"%]*\2\s*($|[;|&)>]))")},
      {"${ command; } is bash 5.3", std::regex(R"(\$\{[ |\t])")},
      {"this option of shopt is newer than bash 4.2",
       std::regex(
           R"(\bshopt\b.*\b(inherit_errexit|localvar_inherit|localvar_unset|assoc_expand_once|array_expand_once|)"
           R"(progcomp_alias|patsub_replacement|noexpand_translation|varredir_close|globskipdots|bash_source_fullpath|)"
           R"(complete_fullquote|globasciiranges|direxpand)\b)")},
      {"read -e and the time-out of 0 apart, read -E and -A are not bash 4.2's",
       std::regex(R"(\bread\s+(-[a-z]+\s+)*-[a-z]*[EA])")},
  };
  return all;
}

// "${a[@]}" of an empty array is an unbound variable before bash 4.4, so it stands as ${a[@]+"${a[@]}"} everywhere:
// that a certain array is never empty, nobody would check.
bool has_bare_array(const std::string& line) {
  static const std::regex expansion(R"(\$\{([A-Za-z_]\w*)\[([@*])\])");
  for (std::sregex_iterator it(line.begin(), line.end(), expansion), end; it != end; ++it) {
    const std::string guard = it->str() + "+\"";
    const auto at = static_cast<std::size_t>(it->position());
    const bool guards = line.compare(at, guard.size() + it->length(), guard + it->str()) == 0;
    const bool guarded = at >= guard.size() && line.compare(at - guard.size(), guard.size(), guard) == 0;
    if (!guards && !guarded) return true;
  }
  return false;
}

}  // namespace

std::string too_new_for_old_bash(std::string_view script) {
  std::istringstream lines{std::string(script)};
  std::string line;
  std::string out;
  for (int number = 1; std::getline(lines, line); ++number) {
    const auto first = line.find_first_not_of(" \t");
    if (first == std::string::npos || line[first] == '#') continue;
    const auto complain = [&](const std::string& why) {
      out += std::to_string(number) + ": " + why + ": " + line + "\n";
    };
    for (const auto& rule : rules()) {
      if (std::regex_search(line, rule.found)) complain(rule.why);
    }
    if (has_bare_array(line)) complain(R"(an empty array is unbound before bash 4.4: ${a[@]+"${a[@]}"})");
  }
  return out;
}
