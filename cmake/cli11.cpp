// CLI11, compiled once (cli11.cmake says how).
#pragma implementation "App.hpp"
#pragma implementation "CLI.hpp"
#pragma implementation "Config.hpp"
#pragma implementation "ConfigFwd.hpp"
#pragma implementation "Error.hpp"
#pragma implementation "Formatter.hpp"
#pragma implementation "FormatterFwd.hpp"
#pragma implementation "Macros.hpp"
#pragma implementation "Option.hpp"
#pragma implementation "Split.hpp"
#pragma implementation "StringTools.hpp"
#pragma implementation "Timer.hpp"
#pragma implementation "TypeTools.hpp"
#pragma implementation "Validators.hpp"
#pragma implementation "Version.hpp"
#include <CLI/CLI.hpp>

namespace CLI {

const detail::ExistingFileValidator ExistingFile;
const detail::ExistingDirectoryValidator ExistingDirectory;
const detail::ExistingPathValidator ExistingPath;
const detail::NonexistentPathValidator NonexistentPath;
const detail::IPV4Validator ValidIPV4;
const TypeValidator<double> Number("NUMBER");
const Range NonNegativeNumber(std::numeric_limits<double>::max(), "NONNEGATIVE");
const Range PositiveNumber(std::numeric_limits<double>::min(), std::numeric_limits<double>::max(), "POSITIVE");

}  // namespace CLI
