#include "cli/mcp/tool_result.h"

#include <fmt/format.h>

#include <optional>
#include <string_view>

#include "base/documents/json_members.h"
#include "base/documents/parse_document.h"
#include "base/os/random_bytes.h"
#include "cli/mcp/program_text.h"
#include "cli/mcp/rv_child.h"
#include "shared/documents/json_dump.h"
#include "shared/documents/json_integer.h"

namespace rv::mcp {
namespace {

/// For all files of a run's output together.
constexpr std::size_t largest_output = std::size_t{64} << 10;

constexpr const char* ask_for_less =
    "ask for less: tail or node of logs, limit, since, state or name of ps, type of cluster and plan";

Json text_block(const std::string& text) {
  return {{"type", "text"}, {"text", text}};
}

/// The error that rv --json prints on stderr, which may have other lines.
std::optional<Error> printed_error(std::string_view text) {
  while (!text.empty()) {
    const auto end = text.find('\n');
    const auto document = parse_json_or_discard<Json>(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (!document.is_object() || !document.contains("error") || !document.at("error").is_object()) continue;
    const auto& error = document.at("error");
    const auto code = member_integer<int>(error, "exit_code").value_or(static_cast<int>(ExitCode::failed));
    return Error(member_text(error, "message"), member_text(error, "advice"), static_cast<ExitCode>(code));
  }
  return std::nullopt;
}

/// `output`: [{"node", "stream", "text"}, …].
std::vector<std::string> output_texts(const Json& output) {
  const auto mark = os::random_hex(8);
  std::vector<std::string> texts{untrusted_notice};
  bool is_cut = false;
  for (const auto& file : output) {
    const auto text = member_text(file, "text");
    const auto part = last_part(text, largest_output / output.size());
    is_cut = is_cut || part.size() < text.size();
    texts.push_back(fmt::format("{} of {}:\n{}", plain_text(member_text(file, "stream")),
                                plain_text(member_text(file, "node")), marked(plain_text(part), mark)));
  }
  if (output.empty()) texts.emplace_back("The run has no output yet.");
  if (is_cut) texts.emplace_back("Earlier output was left out: ask for fewer lines with tail, or for one node.");
  return texts;
}

}  // namespace

Json tool_result(const std::vector<std::string>& texts) {
  Json content = Json::array();
  for (const auto& text : texts) content.push_back(text_block(text));
  return {{"content", content}, {"isError", false}};
}

Json failed_result(const std::exception& fault) {
  auto text = plain_text(fault.what());
  const auto* error = dynamic_cast<const Error*>(&fault);
  if (error != nullptr && !error->advice().empty()) text += "\n" + plain_text(error->advice());
  return {{"content", Json::array({text_block(text)})}, {"isError", true}};
}

Json document_of(const os::Result& result) {
  if (result.out.size() >= most_output) {
    throw Error(fmt::format("the answer has more than {} MB", most_output >> 20), ask_for_less);
  }
  auto document = parse_json_or_discard<Json>(result.out);
  if (document.is_object()) return document;
  if (const auto error = printed_error(result.err)) throw Error(*error);
  if (result.timed_out) {
    throw Error(fmt::format("rv did not finish within {} s", result.wall.count() / 1000),
                "the login node or Slurm may be overloaded: wait a minute before the next call");
  }
  const auto first = result.err.substr(0, result.err.find('\n'));
  throw Error(fmt::format("rv ended with exit code {}{}{}", result.exit_code, first.empty() ? "" : ": ", first),
              "ask the user to run the same command in a terminal");
}

Json shown_document(Json document) {
  const auto strategies = document.find("strategies");
  if (strategies != document.end() && strategies->is_array()) {
    for (auto& strategy : *strategies) {
      if (strategy.is_object()) strategy.erase("script");
    }
  }
  return plain_document(document);
}

Json reading_result(const os::Result& result, std::chrono::seconds age) {
  const auto document = document_of(result);
  const auto output = document.find("output");
  std::vector<std::string> texts;
  if (output != document.end() && output->is_array()) {
    texts = output_texts(*output);
  } else {
    Json shown = {{"notice", untrusted_notice}};
    shown.update(shown_document(document));
    texts.push_back(json_dump(shown));
  }
  if (texts.front().size() > largest_answer) {
    throw Error(fmt::format("the answer has {} KB, and a tool returns at most {} KB", texts.front().size() >> 10,
                            largest_answer >> 10),
                ask_for_less, ExitCode::usage);
  }
  if (age.count() > 0) texts.push_back(fmt::format("This answer is {} seconds old.", age.count()));
  return tool_result(texts);
}

}  // namespace rv::mcp
