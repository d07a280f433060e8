#include "base/documents/parse_document.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/text.h"

namespace rv {

void refuse_excess(const std::string& reason, const std::string& what) {
  if (reason.empty()) return;
  throw Error(fmt::format("{}: {}", one_line(what), reason), "the document was not written by rv, or it is damaged",
              ExitCode::usage);
}

}  // namespace rv
