#include "base/wrong_value.h"

#include <utility>

#include "base/text.h"

namespace rv {

Error wrong_value(std::string_view option, std::string_view text, std::string_view expected, std::string advice) {
  std::string message(option);
  message.append(" \"").append(one_line(text)).append("\": expected ").append(expected);
  return {message, std::move(advice), ExitCode::usage};
}

}  // namespace rv
