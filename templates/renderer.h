// Fills a template. A name that the template uses and that has no value is an Error, and so is a value that nothing
// uses, so that a template and its caller can't drift apart.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/embedded_file.h"

namespace rv::templates {

/// A value or a list of values. An empty one counts as absent for `{{?name}}`.
using Value = std::variant<std::string, std::vector<std::string>>;
using Values = std::map<std::string, Value, std::less<>>;

/// Forms inside a template:
///   {{name}}          one shell word, quoted
///   {{words:name}}    a list as shell words
///   {{sbatch:name}}   an argument of an #SBATCH line, in Slurm's own quoting; a newline in it is an Error
///   {{lines:name}}    a list as lines of shell, as they are: trusted text only
///   {{include:file}}  another embedded file
///   {{?name}}…        at a line's start: the line stays only when the value is not empty
/// `optional_values` may stay unused; a name in `values` comes before the same name there.
std::string render(std::string_view template_name, const Values& values,
                   std::span<const EmbeddedFile> files = embedded::templates(), const Values& optional_values = {});

}  // namespace rv::templates
