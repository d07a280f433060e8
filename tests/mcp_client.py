"""A client of the Model Context Protocol over stdio, for tests. It checks each message of the server against the protocol's
published schema (revisions 2024-11-05 to 2025-11-25), as far as a server with tools uses it."""
import json
import os
import select
import subprocess
import time

REVISIONS = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]


def check(holds, what, value):
    if not holds:
        raise AssertionError(f"{what}: {json.dumps(value)[:600]}")


def check_object(value, what, required, optional=None):
    """`required` and `optional`: types by member; other members are wrong unless `optional` is None."""
    check(isinstance(value, dict), f"{what} is not an object", value)
    for name, kind in required.items():
        check(name in value, f"{what} has no {name}", value)
        check(isinstance(value[name], kind), f"{what}: wrong type of {name}", value)
    if optional is None:
        return
    for name, member in value.items():
        check(name in required or name in optional, f"{what}: unknown member {name}", value)
        if name in optional:
            check(isinstance(member, optional[name]), f"{what}: wrong type of {name}", value)


def check_initialize(result):
    check_object(result, "InitializeResult", {"protocolVersion": str, "capabilities": dict, "serverInfo": dict},
                 {"instructions": str, "_meta": dict})
    check(result["protocolVersion"] in REVISIONS, "unknown revision", result)
    check_object(result["serverInfo"], "Implementation", {"name": str, "version": str}, {"title": str})
    known = {"tools": dict, "prompts": dict, "resources": dict, "logging": dict, "completions": dict, "experimental": dict}
    check_object(result["capabilities"], "ServerCapabilities", {}, known)


def check_tools(result):
    check_object(result, "ListToolsResult", {"tools": list}, {"nextCursor": str, "_meta": dict})
    for tool in result["tools"]:
        check_object(tool, "Tool", {"name": str, "inputSchema": dict},
                     {"description": str, "title": str, "annotations": dict, "outputSchema": dict, "_meta": dict})
        schema = tool["inputSchema"]
        check(schema.get("type") == "object", "inputSchema is not of an object", schema)
        properties = schema.get("properties", {})
        check(all(isinstance(one, dict) for one in properties.values()), "a property is not a schema", schema)
        check(set(schema.get("required", [])) <= set(properties), "required, but not a property", schema)
        hints = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"]
        check_object(tool.get("annotations", {}), "ToolAnnotations", {}, dict.fromkeys(hints, bool) | {"title": str})
    names = [tool["name"] for tool in result["tools"]]
    check(len(names) == len(set(names)), "two tools have one name", names)


def check_call(result):
    check_object(result, "CallToolResult", {"content": list}, {"isError": bool, "structuredContent": dict, "_meta": dict})
    for block in result["content"]:
        check_object(block, "TextContent", {"type": str, "text": str}, {"annotations": dict, "_meta": dict})
        check(block["type"] == "text", "another kind of content", block)


CHECKS = {"initialize": check_initialize, "tools/list": check_tools, "tools/call": check_call,
          "ping": lambda result: check(result == {}, "a ping has an empty result", result)}


class Answer:
    """The result of a tool: its text blocks, and whether the tool failed."""

    def __init__(self, message):
        self.failed = message["result"].get("isError", False)
        self.texts = [block["text"] for block in message["result"]["content"]]
        self.text = "\n".join(self.texts)

    def document(self):
        check(not self.failed, "the tool failed", self.texts)
        return json.loads(self.texts[0])


class Client:
    def __init__(self, argv, **options):
        self.server = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, **options)
        self.bytes = b""
        self.methods = {}  # of requests without a response so far
        self.arrived = {}  # responses by ID
        self.last_id = 0

    def send_bytes(self, data):
        self.server.stdin.write(data)
        self.server.stdin.flush()

    def send(self, message):
        self.send_bytes(json.dumps(message).encode() + b"\n")

    def receive(self, seconds=120):
        """The next message, checked; None at the end of the server's output."""
        until = time.monotonic() + seconds
        while b"\n" not in self.bytes:
            ready, _, _ = select.select([self.server.stdout], [], [], max(0, until - time.monotonic()))
            check(ready, f"no message within {seconds} s", None)
            part = os.read(self.server.stdout.fileno(), 65536)
            if not part:
                check(not self.bytes, "the last message is cut off", self.bytes.decode("utf-8", "replace"))
                return None
            self.bytes += part
        line, self.bytes = self.bytes.split(b"\n", 1)
        message = json.loads(line.decode("utf-8"))
        self.check_message(message)
        return message

    def check_message(self, message):
        check_object(message, "the message", {"jsonrpc": str})
        check(message["jsonrpc"] == "2.0", "not JSON-RPC 2.0", message)
        check("method" not in message, "this server sends no requests", message)
        if "error" in message:
            check_object(message, "JSONRPCError", {"jsonrpc": str, "id": (str, int, type(None)), "error": dict}, {})
            check_object(message["error"], "error", {"code": int, "message": str}, {"data": object})
            self.methods.pop(message["id"], None)
            return
        check_object(message, "JSONRPCResponse", {"jsonrpc": str, "id": (str, int), "result": dict}, {})
        check(message["id"] in self.methods, "a response that nobody waits for", message)
        CHECKS[self.methods.pop(message["id"])](message["result"])

    def start(self, method, params=None):
        """Sends a request and returns its ID."""
        self.last_id += 1
        self.methods[self.last_id] = method
        message = {"jsonrpc": "2.0", "id": self.last_id, "method": method}
        self.send(message if params is None else message | {"params": params})
        return self.last_id

    def response(self, number):
        while number not in self.arrived:
            message = self.receive()
            check(message is not None, "the server has ended", number)
            self.arrived[message["id"]] = message
        return self.arrived.pop(number)

    def request(self, method, params=None):
        return self.response(self.start(method, params))

    def initialize(self, revision="2025-06-18"):
        params = {"protocolVersion": revision, "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
        result = self.request("initialize", params)["result"]
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return result

    def call(self, tool, **arguments):
        names = {name.replace("_", "-"): value for name, value in arguments.items()}
        return Answer(self.request("tools/call", {"name": tool, "arguments": names}))

    def close(self, seconds=30):
        """Closes stdin, and returns the server's exit code."""
        self.server.stdin.close()
        while self.receive(seconds) is not None:
            pass
        return self.server.wait(seconds)
