// Fills a template. It throws Error for a name in the template without a value, and for a value that the template does
// not use, so that a template and its caller always match.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/embedded_file.h"

namespace rv::templates {

/// A value or a list of values. An empty value or list counts as absent for `{{?name}}`.
using Value = std::variant<std::string, std::vector<std::string>>;
using Values = std::map<std::string, Value, std::less<>>;

/// Forms inside a template:
///   {{name}}          one shell word, quoted
///   {{words:name}}    a list as shell words
///   {{sbatch:name}}   an argument of an #SBATCH line, in Slurm's own quoting; a newline in it is an Error
///   {{lines:name}}    a list as lines of shell, unquoted: only trusted text
///   {{include:file}}  another embedded file
///   {{?name}}…        at the start of a line: the line stays only if the value is not empty
/// `optional_values` may stay unused. A name in `values` overrides the same name in them.
std::string render(std::string_view template_name, const Values& values,
                   std::span<const EmbeddedFile> files = embedded::templates(), const Values& optional_values = {});

}  // namespace rv::templates
