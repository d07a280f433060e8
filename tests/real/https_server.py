#!/usr/bin/env python3
"""An HTTPS server that notes each POST as a line of JSON: path, headers, body, and whether its signature is right.

usage: https_server.py CERTIFICATE KEY SECRET_FILE LOG PORT_FILE
"""

import hashlib
import hmac
import http.server
import json
import os
import ssl
import sys
import time

certificate, key, secret_file, log, port_file = sys.argv[1:]


class Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        with open(secret_file) as file:
            secret = bytes.fromhex(file.read().strip())
        right = "sha256=" + hmac.new(secret, body, hashlib.sha256).hexdigest()
        kind = self.headers["Content-Type"]
        line = {"path": self.path, "event": self.headers["X-Rv-Event"], "type": kind, "title": self.headers["Title"],
                "body": json.loads(body) if kind == "application/json" else body.decode(),
                "signed": hmac.compare_digest(right, self.headers["X-Rv-Signature"])}
        with open(log, "a") as file:
            file.write(json.dumps(line) + "\n")
        if self.path == "/slow":
            time.sleep(60)
        self.send_response(500 if self.path == "/broken" else 200)
        self.end_headers()

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(certificate, key)
server.socket = context.wrap_socket(server.socket, server_side=True)
with open(port_file + ".new", "w") as file:
    file.write(str(server.server_port))
os.rename(port_file + ".new", port_file)
server.serve_forever()
