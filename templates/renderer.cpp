#include "templates/renderer.h"

#include <algorithm>
#include <set>

#include "base/error.h"
#include "base/quote.h"

namespace rv::templates {
namespace {

// A fault in a template or its caller is a fault of rv, not of the user's input.
[[noreturn]] void fault(const std::string& what) {
  throw Error("template: " + what, "this is a bug in rv; please report it");
}

std::string_view find_file(std::span<const EmbeddedFile> files, std::string_view name) {
  const auto found = std::find_if(files.begin(), files.end(), [&](const auto& file) { return file.name == name; });
  if (found == files.end()) fault("no file has the name " + std::string(name));
  return found->text;
}

bool is_empty(const Value& value) {
  return std::visit([](const auto& content) { return content.empty(); }, value);
}

class Rendering {
 public:
  Rendering(const Values& values, std::span<const EmbeddedFile> files, const Values& optional_values)
      : values_(values), files_(files), optional_values_(optional_values) {}

  void file(std::string_view name) {
    std::string_view text = find_file(files_, name);
    while (!text.empty()) {
      const auto end = text.find('\n');
      line(text.substr(0, end));
      if (end == std::string_view::npos) break;
      text.remove_prefix(end + 1);
    }
  }

  std::string finish() {
    for (const auto& [name, value] : values_) {
      if (!used_.contains(name)) fault("nothing uses the value " + name);
    }
    return std::move(out_);
  }

 private:
  void line(std::string_view text) {
    if (text.starts_with("{{?")) {
      const auto close = text.find("}}");
      if (close == std::string_view::npos) fault("unclosed {{ in: " + std::string(text));
      if (is_empty(value(text.substr(3, close - 3)))) return;
      text.remove_prefix(close + 2);
    }
    constexpr std::string_view include = "{{include:";
    if (text.starts_with(include)) {
      file(text.substr(include.size(), text.find("}}") - include.size()));
      return;
    }
    while (true) {
      const auto open = text.find("{{");
      out_ += text.substr(0, open);
      if (open == std::string_view::npos) break;
      const auto close = text.find("}}", open);
      if (close == std::string_view::npos) fault("unclosed {{ in: " + std::string(text));
      placeholder(text.substr(open + 2, close - open - 2));
      text.remove_prefix(close + 2);
    }
    out_ += '\n';
  }

  void placeholder(std::string_view body) {
    const auto colon = body.find(':');
    const auto form = colon == std::string_view::npos ? std::string_view() : body.substr(0, colon);
    const auto name = colon == std::string_view::npos ? body : body.substr(colon + 1);
    if (form.empty()) {
      out_ += quote(text_value(name));
    } else if (form == "sbatch") {
      out_ += quote_for_sbatch(text_value(name));
    } else if (form == "words") {
      out_ += quote_all(list_value(name));
    } else if (form == "lines") {
      const auto& lines = list_value(name);
      for (std::size_t i = 0; i < lines.size(); ++i) out_ += (i == 0 ? "" : "\n") + lines[i];
    } else {
      fault("unknown form {{" + std::string(body) + "}}");
    }
  }

  const Value& value(std::string_view name) {
    if (const auto found = values_.find(name); found != values_.end()) {
      used_.insert(found->first);
      return found->second;
    }
    const auto found = optional_values_.find(name);
    if (found == optional_values_.end()) fault("no value has the name " + std::string(name));
    return found->second;
  }

  const std::string& text_value(std::string_view name) {
    const auto* text = std::get_if<std::string>(&value(name));
    if (text == nullptr) fault(std::string(name) + " is a list, but a single value was expected");
    return *text;
  }

  const std::vector<std::string>& list_value(std::string_view name) {
    const auto* list = std::get_if<std::vector<std::string>>(&value(name));
    if (list == nullptr) fault(std::string(name) + " is a single value, but a list was expected");
    return *list;
  }

  const Values& values_;
  std::span<const EmbeddedFile> files_;
  const Values& optional_values_;
  std::set<std::string, std::less<>> used_;
  std::string out_;
};

}  // namespace

std::string render(std::string_view template_name, const Values& values, std::span<const EmbeddedFile> files,
                   const Values& optional_values) {
  Rendering rendering(values, files, optional_values);
  rendering.file(template_name);
  return rendering.finish();
}

}  // namespace rv::templates
