#include "workers/ranks/handshake.h"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <stdexcept>

#include "shared/documents/json_dump.h"
#include "shared/sha256.h"
#include "workers/ranks/token.h"

namespace rv::workers {
namespace {

constexpr std::size_t nonce_digits = 64, most_unproven = 4096;

/// The text of a message, equal on both sides: invalid UTF-8 is replaced here as it is when sending.
std::string text_of(const Json& hello) {
  return json_dump(hello);
}

/// A string member; empty if it is missing or has another type.
std::string member(const Json& message, const char* name) {
  const auto found = message.find(name);
  return found != message.end() && found->is_string() ? found->get<std::string>() : "";
}

/// Returns the next message; nothing if the other side closed or sent something else. Throws after the deadline.
std::optional<Json> next_message(Channel& channel, const std::string& place, Clock::time_point deadline) {
  while (true) {
    if (auto message = channel.next()) return message;
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left <= 0) {
      throw std::runtime_error(
          fmt::format("the process at {} does not answer: another program may listen there", place));
    }
    pollfd waiting{channel.socket(), POLLIN, 0};
    poll(&waiting, 1, static_cast<int>(std::min<long>(left, 1000)));
    if (waiting.revents != 0 && !channel.receive_some(most_unproven)) return channel.next();
  }
}

}  // namespace

std::string step_key(std::string_view token, std::string_view step) {
  return hmac_sha256(token, fmt::format("rv step\n{}", step));
}

std::string derived_key(std::string_view key, std::string_view purpose) {
  return hmac_sha256(key, fmt::format("rv key\n{}", purpose));
}

std::string fresh_nonce() {
  return random_token() + random_token();
}

std::string proof_of(std::string_view key, Side side, std::string_view connector_nonce, std::string_view listener_nonce,
                     std::string_view who) {
  // The nonces have a fixed length, so the text of a handshake is unambiguous.
  return hmac_sha256(key,
                     fmt::format("rv proof of the {}\n{}\n{}\n{}", side == Side::listener ? "listener" : "connector",
                                 connector_nonce, listener_nonce, who));
}

Challenge::Challenge(Json hello) : hello_(std::move(hello)), theirs_(member(hello_, "nonce")), own_(fresh_nonce()) {
  const auto protocol = hello_.find("protocol");
  if (protocol == hello_.end() || *protocol != handshake_protocol) {
    throw std::invalid_argument(
        "this process is a different version of rv's workers: use the same version on every host");
  }
  if (theirs_.size() != nonce_digits) throw std::invalid_argument("the hello has no nonce");
}

Json Challenge::message(std::string_view key) const {
  return {
      {"op", "challenge"}, {"nonce", own_}, {"proof", proof_of(key, Side::listener, theirs_, own_, text_of(hello_))}};
}

bool Challenge::proven(const Json& answer, std::string_view key) const {
  return same_secret(member(answer, "proof"), proof_of(key, Side::connector, theirs_, own_, text_of(hello_)));
}

void introduce(Channel& channel, Json hello, std::string_view key, const std::string& place,
               Clock::time_point deadline) {
  const auto nonce = fresh_nonce();
  hello["protocol"] = handshake_protocol;
  hello["nonce"] = nonce;
  const auto who = text_of(hello);
  channel.send(hello, deadline);
  const auto answer = next_message(channel, place, deadline);
  if (!answer) throw std::runtime_error(fmt::format("lost the connection to rank 0's process at {}", place));
  const auto op = answer->is_object() ? member(*answer, "op") : "";
  // Its reason is not printed: the listener has not proven itself.
  if (op == "refused") {
    throw std::runtime_error(fmt::format(
        "the process at {} refuses this one and does not prove that it is rank 0: it is of another version of rv's "
        "workers, or another program; use the same version on every host",
        place));
  }
  const auto theirs = op == "challenge" ? member(*answer, "nonce") : "";
  if (theirs.size() != nonce_digits ||
      !same_secret(member(*answer, "proof"), proof_of(key, Side::listener, nonce, theirs, who))) {
    throw std::runtime_error(fmt::format(
        "the process at {} does not prove that it is rank 0 of this step, and was sent nothing secret: another program "
        "or step listens there, or the secret is not the same: give every process the same RV_RENDEZVOUS_TOKEN",
        place));
  }
  channel.send({{"op", "proof"}, {"proof", proof_of(key, Side::connector, nonce, theirs, who)}}, deadline);
}

}  // namespace rv::workers
