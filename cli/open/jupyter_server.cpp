#include "cli/open/jupyter_server.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <vector>

#include "base/documents/parse_document.h"
#include "base/os/atomic_file.h"
#include "base/os/random_bytes.h"
#include "cli/json/values_json.h"
#include "shared/documents/json_integer.h"
#include "templates/renderer.h"

namespace rv::cli {
namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

std::string home_of(const monitor::RunFolder& folder) {
  return folder.file("jupyter");
}

Json settings(const std::string& token, std::chrono::seconds unattended) {
  Json server{{"ip", "127.0.0.1"}, {"port", 8888},          {"port_retries", 200},
              {"token", token},    {"open_browser", false}, {"shutdown_no_activity_timeout", unattended.count()}};
  // A user who runs rv as root allows it.
  if (::geteuid() == 0) server["allow_root"] = true;
  // Newer releases read ServerApp's, and the token from where it belongs since; the classic notebook NotebookApp's.
  return {{"ServerApp", server}, {"NotebookApp", server}, {"IdentityProvider", {{"token", token}}}};
}

/// Percent-encodes the characters that have a meaning in an address, except those in `kept`.
std::string escaped(const std::string& text, std::string_view kept = "") {
  std::string out;
  for (const unsigned char c : text) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
                       c == '_' || kept.find(static_cast<char>(c)) != std::string_view::npos;
    out += plain ? std::string(1, static_cast<char>(c)) : fmt::format("%{:02X}", c);
  }
  return out;
}

}  // namespace

std::vector<std::string> jupyter_argv() {
  return {"bash", "-c", "exec bash \"$RV_RUN_DIR/jupyter/start\""};
}

void prepare_jupyter(const monitor::RunFolder& folder, std::chrono::seconds unattended) {
  const std::string home = home_of(folder);
  os::make_folder(home + "/config");
  const std::string text = json_text(settings(os::random_hex(16), unattended));
  // Each program reads the file with its own name last.
  for (const auto* name : {"jupyter_lab_config", "jupyter_server_config", "jupyter_notebook_config"}) {
    os::write_file(fmt::format("{}/config/{}.json", home, name), text);
  }
  os::write_file(home + "/start", templates::render("jupyter_start.bash", {}));
}

std::optional<JupyterPage> jupyter_page(const monitor::RunFolder& folder) {
  std::error_code fault;
  for (const auto& entry : fs::directory_iterator(home_of(folder) + "/runtime", fault)) {
    const std::string name = entry.path().filename();
    const bool server = name.starts_with("jpserver-") || name.starts_with("nbserver-");
    if (!server || !name.ends_with(".json")) continue;
    const Json json = parse_json_or_discard<Json>(os::read_file(entry.path()).value_or(""));
    if (!json.is_object() || !json.contains("port")) continue;  // half written: it will be whole
    try {
      return JupyterPage{
          .port = integer_at<int>(json, "port"),
          .path = escaped(json.value("base_url", "/"), "/.~%") + "?token=" + escaped(json.value("token", "")),
          .secure = json.value("secure", false)};
    } catch (const Json::exception&) {
      continue;
    }
  }
  return std::nullopt;
}

bool is_jupyter(const monitor::RunFolder& folder) {
  std::error_code fault;
  return fs::exists(home_of(folder) + "/start", fault);
}

bool jupyter_is_missing(const monitor::RunFolder& folder) {
  std::error_code fault;
  return fs::exists(home_of(folder) + "/missing", fault);
}

}  // namespace rv::cli
