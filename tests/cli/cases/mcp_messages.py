"""Arguments: the program rv. Sends `rv mcp` messages that need no Slurm, valid and invalid ones."""
import os
import pathlib
import signal
import subprocess
import sys
import time

sys.path.append(str(pathlib.Path(__file__).parents[2]))
from mcp_client import REVISIONS, Client  # noqa: E402

RV = sys.argv[1]


def equal(what, expected, actual):
    if actual != expected:
        raise AssertionError(f"{what}: expected {expected!r}, got {actual!r}")


def contains(what, part, text):
    if part not in text:
        raise AssertionError(f"{what}: {part!r} is not in {text!r}")


def error_for(client, data):
    client.send_bytes(data + b"\n")
    message = client.receive()
    return message["id"], message["error"]["code"]


# Any revision that the client names, and the newest for one that the server does not have.
for revision in REVISIONS:
    client = Client([RV, "mcp"])
    equal("before initialize", -32600, client.request("tools/list")["error"]["code"])
    equal("ping", {}, client.request("ping")["result"])
    equal("revision", revision, client.initialize(revision)["protocolVersion"])
    equal("exit code", 0, client.close())
client = Client([RV, "mcp"])
equal("newest revision", REVISIONS[-1], client.initialize("2099-01-01")["protocolVersion"])
equal("a method of a later revision", -32601, client.request("server/discover")["error"]["code"])

tools = {tool["name"]: tool for tool in client.request("tools/list")["result"]["tools"]}
reading = ["plan", "ps", "show", "why", "logs", "cluster"]
equal("tools", reading + ["run", "up", "stop"], list(tools))
equal("read-only", reading, [name for name, tool in tools.items() if tool["annotations"]["readOnlyHint"]])
equal("required by run", ["gpu", "time", "command"], tools["run"]["inputSchema"]["required"])

# Invalid messages: an error response each, and the next message is read.
for what, data, expected in [
    ("not JSON", b"{", (None, -32700)),
    ("not UTF-8", b'{"jsonrpc":"2.0","id":1,"method":"\xff"}', (None, -32700)),
    ("a NUL byte", b"\0", (None, -32700)),
    ("too deep", b"[" * 100000, (None, -32600)),
    ("a batch", b'[{"jsonrpc":"2.0","id":1,"method":"ping"}]', (None, -32600)),
    ("a number", b"1", (None, -32600)),
    ("no version", b'{"id":1,"method":"ping"}', (1, -32600)),
    ("no method", b'{"jsonrpc":"2.0","id":1}', (1, -32600)),
    ("a method that is a number", b'{"jsonrpc":"2.0","id":"a","method":1}', ("a", -32600)),
    ("an ID that is an object", b'{"jsonrpc":"2.0","id":{},"method":"ping"}', (None, -32600)),
    ("params that are a list", b'{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}', (1, -32602)),
    ("an unknown method", b'{"jsonrpc":"2.0","id":1,"method":"tools/cal"}', (1, -32601)),
    ("an unknown tool", b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"pss"}}', (1, -32602)),
    ("a tool without a name", b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}', (1, -32602)),
    ("arguments that are a list", b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ps","arguments":[]}}',
     (1, -32602)),
    ("a long line", b'{"jsonrpc":"2.0","id":1,"method":"' + b"x" * (3 << 20), (None, -32600)),
]:
    equal(what, expected, error_for(client, data))
client.send_bytes(b'\n \r\n{"jsonrpc":"2.0","id":5,"result":{}}\n{"jsonrpc":"2.0","method":"notifications/unknown"}\n')
equal("after bad input", {}, client.request("ping")["result"])

# Arguments that a tool does not accept: a failed result that an agent can read.
for tool, arguments, text in [
    ("ps", {"sine": "7d"}, 'ps has no argument "sine"; did you mean "since"?'),
    ("ps", {"all": "yes"}, '"all": expected true or false, not string'),
    ("ps", {"since": True}, '"since": expected a string or a number, not boolean'),
    ("ps", {"since": {"days": 7}}, '"since": expected a string or a number, not object'),
    ("ps", {"since": "x\0"}, "no NUL byte"),
    ("ps", {"since": "soon"}, '--since "soon"'),
    ("ps", {"name": "x" * 200000}, "at most 100000 bytes"),
    ("show", {"run": 5}, '"run": expected a string'),
    ("show", {"run": "--help"}, 'no run has the ID or name "--help"'),
    ("logs", {"run": "nothing"}, 'no run has the ID or name "nothing"'),
    ("run", {"gpu": 1}, 'run needs the argument "time"'),
    ("run", {"gpu": 1, "time": "5m", "command": "true", "token": 5}, '"token": expected a string'),
    ("run", {"gpu": 1, "time": "5m", "command": ""}, '"command" is empty'),
    ("run", {"gpu": 1, "time": "5m", "command": "true", "env": ["A=1"]}, '"env": expected an object'),
    ("run", {"gpu": 1, "time": "5m", "command": "true", "retries": 3}, 'run has no argument "retries"'),
    ("up", {"gpu": 1, "time": "5m", "command": "true"}, 'up has no argument "command"'),
    # Without a budget, a run of the agent's or a token.
    ("run", {"gpu": 1, "time": "5m", "command": "true"},
     "no budget is set: agents can't start runs\nask the user to set a budget in a terminal: rv mcp allow HOURS"),
    ("up", {"gpu": 1, "time": "5m", "token": "0" * 32}, "no budget is set"),
    ("stop", {"run": "k3f9x2"}, 'no agent started a run with the ID "k3f9x2"'),
]:
    answer = client.call(tool, **arguments)
    equal(f"{tool} {arguments} failed", True, answer.failed)
    contains(tool, text, answer.text)

# The second answer comes from memory.
equal("no runs", [], client.call("ps", all=True).document()["runs"])
time.sleep(1.1)
contains("age", "This answer is 1 seconds old.", client.call("ps", all=True).text)

# More different queries than a controller should get: refused, and the known one is still answered.
refused = [answer.text for answer in (client.call("ps", limit=number) for number in range(1, 40)) if answer.failed]
contains("too many queries", "more than 20 different calls in 30 seconds", refused[0])
equal("a known query", False, client.call("ps", all=True).failed)
equal("exit code", 0, client.close())

# A budget that the user set: a token that nobody gave is refused, and a file that others can write.
client = Client([RV, "mcp"])
client.initialize()
subprocess.run([sys.executable, os.environ["ON_TERMINAL"], "[]", RV, "mcp", "allow", "0.5"], check=True, stdout=subprocess.DEVNULL)
contains("a token", "this token is unknown", client.call("up", gpu=1, time="5m", token="0" * 32).text)
budget = pathlib.Path(os.environ["RV_HOME"]) / "mcp" / "budget.json"
equal("mode", 0o600, budget.stat().st_mode & 0o777)
contains("hash only", '"confirmations": []', budget.read_text())
budget.write_text("{}")
contains("a damaged file", "budget.json is damaged", client.call("up", gpu=1, time="5m").text)
budget.unlink()

# A lock that can't be opened is reported at once: the server answers nothing else while it waits for one.
lock = budget.with_name("lock")
lock.unlink()
lock.mkdir()
begin = time.monotonic()
subprocess.run([sys.executable, os.environ["ON_TERMINAL"], "[]", RV, "mcp", "allow", "1"], check=False, stdout=subprocess.DEVNULL)
equal("waited for a lock that can't be opened", False, time.monotonic() - begin > 5)
lock.rmdir()

# A signal and a client that goes away end the server.
client.server.send_signal(signal.SIGTERM)
equal("after SIGTERM", 143, client.server.wait(30))
client = Client([RV, "mcp"])
unread = subprocess.Popen([RV, "mcp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
os.set_blocking(unread.stdin.fileno(), False)
try:
    for _ in range(100):  # responses of more than a pipe holds, which nobody reads
        os.write(unread.stdin.fileno(), b'{"jsonrpc":"2.0","id":1,"method":"' + b"x" * 30000 + b'"}\n')
        time.sleep(0.01)
except BlockingIOError:
    pass
unread.send_signal(signal.SIGTERM)
equal("after SIGTERM, with responses that nobody reads", 143, unread.wait(10))
unread.stdout.close()
client.server.stdout.close()
client.send_bytes(b"x\n")
equal("without a reader", 0, client.server.wait(30))
