#include "cli/remote/hop/shared_session.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace rv::remote {

namespace {

// Names as in PROTOCOL.mux.
constexpr std::uint32_t protocol_version = 4;
constexpr std::uint32_t hello = 0x00000001;
constexpr std::uint32_t new_session = 0x10000002;
constexpr std::uint32_t exit_message = 0x80000004;
constexpr std::uint32_t session_opened = 0x80000006;
constexpr std::uint32_t no_escape_character = 0xffffffff;
constexpr std::uint32_t request_id = 0;

constexpr std::size_t longest_packet = 262'144;  // of what OpenSSH reads
constexpr int connection_lost = 255;

std::uint32_t number_at(std::string_view bytes, std::size_t at) {
  std::uint32_t number = 0;
  for (std::size_t i = 0; i < 4; ++i) number = number << 8 | static_cast<unsigned char>(bytes[at + i]);
  return number;
}

std::string packed(std::uint32_t number) {
  std::string bytes;
  for (const int shift : {24, 16, 8, 0}) bytes += static_cast<char>(number >> shift & 0xff);
  return bytes;
}

class Packet {
 public:
  Packet& number(std::uint32_t value) {
    bytes_ += packed(value);
    return *this;
  }
  Packet& text(std::string_view value) {
    number(static_cast<std::uint32_t>(value.size()));
    bytes_ += value;
    return *this;
  }
  std::string framed() const { return packed(static_cast<std::uint32_t>(bytes_.size())) + bytes_; }

 private:
  std::string bytes_;
};

class ControlSocket {
 public:
  explicit ControlSocket(const std::string& path) : socket_(connect_to(path)) {}

  bool connected() const { return socket_.number() >= 0; }

  bool send(const Packet& packet) const {
    const std::string bytes = packet.framed();
    std::string_view left = bytes;
    while (!left.empty()) {
      const ssize_t count = ::send(socket_.number(), left.data(), left.size(), MSG_NOSIGNAL);
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) return false;
      left.remove_prefix(static_cast<std::size_t>(count));
    }
    return true;
  }

  /// One byte, with an open file of this process.
  bool pass(int file) const {
    char byte = 0;
    iovec part{&byte, 1};
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control{};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    cmsghdr* const header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    std::memcpy(CMSG_DATA(header), &file, sizeof file);
    ssize_t count = 0;
    do count = ::sendmsg(socket_.number(), &message, MSG_NOSIGNAL);
    while (count < 0 && errno == EINTR);
    return count == 1;
  }

  /// The next packet without its length; nothing when the other side closed the connection or sends what can't be one.
  std::optional<std::string> receive() const {
    const auto head = read(4);
    if (!head) return std::nullopt;
    const std::uint32_t size = number_at(*head, 0);
    if (size < 4 || size > longest_packet) return std::nullopt;
    return read(size);
  }

 private:
  std::optional<std::string> read(std::size_t size) const {
    std::string bytes(size, '\0');
    for (std::size_t have = 0; have < size;) {
      const ssize_t count = ::recv(socket_.number(), bytes.data() + have, size - have, 0);
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) return std::nullopt;
      have += static_cast<std::size_t>(count);
    }
    return bytes;
  }

  os::Descriptor socket_;
};

bool greeted(const ControlSocket& master) {
  if (!master.send(Packet().number(hello).number(protocol_version))) return false;
  const auto answer = master.receive();
  return answer && answer->size() >= 8 && number_at(*answer, 0) == hello && number_at(*answer, 4) == protocol_version;
}

bool requested(const ControlSocket& master, const SharedSession& session) {
  Packet request;
  request.number(new_session).number(request_id).text("");
  request.number(0);  // no terminal
  request.number(0);  // no X11
  request.number(session.forward_agent ? 1 : 0);
  request.number(0);  // a command, no subsystem
  request.number(no_escape_character).text("").text(session.command);
  for (const std::string& variable : session.environment) request.text(variable);
  if (!master.send(request)) return false;
  return master.pass(STDIN_FILENO) && master.pass(STDOUT_FILENO) && master.pass(STDERR_FILENO);
}

}  // namespace

os::Descriptor connect_to(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) return os::Descriptor();
  path.copy(address.sun_path, sizeof address.sun_path - 1);
  os::Descriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (::connect(socket.number(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) socket.close();
  return socket;
}

std::optional<int> run_over_shared_connection(const SharedSession& session, const std::function<void()>& taken) {
  const ControlSocket master(session.socket);
  if (!master.connected() || !greeted(master) || !requested(master, session)) return std::nullopt;
  const auto opened = master.receive();
  // Without an answer the command may have been started: it must not be started again.
  if (!opened) return connection_lost;
  if (opened->size() < 12 || number_at(*opened, 0) != session_opened) return std::nullopt;
  if (taken) taken();
  // The code may come before the last of the output. The master lets go of the socket when all is written; to leave
  // before that would make it drop the rest.
  int code = connection_lost;
  while (const auto packet = master.receive()) {
    if (packet->size() >= 12 && number_at(*packet, 0) == exit_message) code = static_cast<int>(number_at(*packet, 8));
  }
  return code;
}

}  // namespace rv::remote
