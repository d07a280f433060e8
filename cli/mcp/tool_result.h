// Results of tools/call.
#pragma once

#include <chrono>
#include <exception>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/os/process.h"
#include "cli/mcp/message.h"

namespace rv::mcp {

/// A larger answer is an error that says how to ask for less.
inline constexpr std::size_t largest_answer = std::size_t{256} << 10;

/// `texts`: one block each.
Json tool_result(const std::vector<std::string>& texts);

/// The failure of a tool: the message, and the advice of an Error, for an agent to read.
Json failed_result(const std::exception& fault);

/// The document that rv printed. Throws Error with the message and the advice of the error that rv printed instead, or
/// if it printed neither.
Json document_of(const os::Result& result);

/// A document without the batch scripts of its strategies, which are longer than all else in it, with plain_text()
/// applied to its strings.
Json shown_document(Json document);

/// The result of a tool that only reads: the document that rv printed, or the output of a run between marks. `age`: of
/// a stored result. Throws Error as document_of() does, and for a document larger than `largest_answer`.
Json reading_result(const os::Result& result, std::chrono::seconds age);

}  // namespace rv::mcp
