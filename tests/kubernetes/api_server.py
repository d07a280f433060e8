"""api_server.py FOLDER KUBERNETES OPERATOR…: as much of an API server as the real kubectl needs to make, list and remove what
rv makes. It serves the schemas, so that kubectl's own validation runs, and checks by them itself. On the loopback; the port is in
FOLDER/port, a kubeconfig in FOLDER/config. Nodes and pods are what FOLDER/{nodes,pods}.json has, a pod's log FOLDER/logs/POD;
what was removed is in FOLDER/removed, a line each."""
import datetime
import http.server
import json
import pathlib
import sys
import urllib.parse

import openapi_v2
import schema

folder = pathlib.Path(sys.argv[1])
kubernetes = json.load(open(sys.argv[2]))
operators = [json.load(open(path)) for path in sys.argv[3:]]
schemas = schema.Schemas(kubernetes, operators)
RESOURCES = {  # group/version → plural → kind, whether it is in a namespace
    "v1": {"nodes": ("Node", False), "pods": ("Pod", True), "secrets": ("Secret", True), "services": ("Service", True)},
    "batch/v1": {"jobs": ("Job", True)},
}
for one in operators:
    RESOURCES[f"{one['group']}/{one['version']}"] = {one["plural"]: (one["kind"], True)}
objects = {}  # (plural, namespace, name) → object


def definitions():
    found = dict(kubernetes["definitions"])
    for one in operators:
        kind = {"group": one["group"], "version": one["version"], "kind": one["kind"]}
        found[f"{one['group']}.{one['version']}.{one['kind']}"] = {
            **one["schema"],
            "x-kubernetes-group-version-kind": [kind],
        }
    return found


def selected(value, query):
    labels = value["metadata"].get("labels", {})
    for word in filter(None, query.get("labelSelector", [""])[0].split(",")):
        key, _, wanted = word.partition("=")
        if labels.get(key) != wanted:
            return False
    for word in filter(None, query.get("fieldSelector", [""])[0].split(",")):
        if word != "metadata.name=" + value["metadata"]["name"]:
            return False
    return True


class Server(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, value, code=200, kind="application/json"):
        body = value if isinstance(value, bytes) else json.dumps(value).encode()
        self.send_response(code)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def refuse(self, code, reason, message):
        self.answer(
            {"kind": "Status", "apiVersion": "v1", "status": "Failure", "code": code, "reason": reason, "message": message},
            code,
        )

    def place(self):
        """(version, plural, namespace, name, what of it) of a path, or nothing."""
        parts = urllib.parse.urlparse(self.path).path.strip("/").split("/")
        version, rest = ("v1", parts[2:]) if parts[0] == "api" else ("/".join(parts[1:3]), parts[3:])
        space = ""
        if rest[:1] == ["namespaces"] and len(rest) > 2:
            space, rest = rest[1], rest[2:]
        if not rest or rest[0] not in RESOURCES.get(version, {}):
            return None
        return version, rest[0], space, rest[1] if len(rest) > 1 else "", rest[2] if len(rest) > 2 else ""

    def all_of(self, plural):
        file = folder / f"{plural}.json"
        if file.exists():
            return json.loads(file.read_text())["items"]
        return [value for (of, _, _), value in objects.items() if of == plural]

    def discovery(self, path):
        groups = [
            {
                "name": version.split("/")[0],
                "versions": [{"groupVersion": version, "version": version.split("/")[1]}],
                "preferredVersion": {"groupVersion": version, "version": version.split("/")[1]},
            }
            for version in RESOURCES
            if "/" in version
        ]
        if path == "/version":
            return {"major": "1", "minor": "33", "gitVersion": "v1.33.0"}
        if path == "/api":
            return {"kind": "APIVersions", "versions": ["v1"]}
        if path == "/apis":
            return {"kind": "APIGroupList", "apiVersion": "v1", "groups": groups}
        version = path.removeprefix("/apis/").removeprefix("/api/")
        if version not in RESOURCES:
            return None
        verbs = ["create", "delete", "get", "list", "patch", "update"]
        return {
            "kind": "APIResourceList",
            "groupVersion": version,
            "resources": [
                {"name": plural, "singularName": kind.lower(), "namespaced": spaced, "kind": kind, "verbs": verbs}
                for plural, (kind, spaced) in RESOURCES[version].items()
            ],
        }

    def do_GET(self):
        url = urllib.parse.urlparse(self.path)
        if url.path == "/openapi/v2":
            kind = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf"
            return self.answer(openapi_v2.document(definitions()), kind=kind)
        if (found := self.discovery(url.path)) is not None:
            return self.answer(found)
        if (place := self.place()) is None:
            return self.refuse(404, "NotFound", "the server could not find the requested resource")
        version, plural, space, name, part = place
        if part == "log":
            log = folder / "logs" / name
            return self.answer(log.read_bytes(), kind="text/plain") if log.exists() else self.refuse(404, "NotFound", "no log")
        if (folder / f"forbidden-{plural}").exists():
            return self.refuse(403, "Forbidden", f"{plural} is forbidden: nobody may list it")
        items = [one for one in self.all_of(plural) if not space or one["metadata"].get("namespace") == space]
        kind = RESOURCES[version][plural][0]
        items = [{"apiVersion": version, "kind": kind, **one} for one in items]
        if name:
            found = [one for one in items if one["metadata"]["name"] == name]
            return self.answer(found[0]) if found else self.refuse(404, "NotFound", f'{plural} "{name}" not found')
        items = [one for one in items if selected(one, urllib.parse.parse_qs(url.query))]
        return self.answer({"kind": kind + "List", "apiVersion": version, "metadata": {}, "items": items})

    def do_POST(self):
        value = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if (place := self.place()) is None:
            return self.refuse(404, "NotFound", "the server could not find the requested resource")
        _, plural, space, _, _ = place
        wrong = schemas.faults(value)
        if wrong:
            return self.refuse(400, "BadRequest", "strict decoding error: " + "; ".join(wrong))
        now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
        value["metadata"] = {"namespace": space, "creationTimestamp": now, "uid": str(len(objects)), **value["metadata"]}
        objects[plural, space, value["metadata"]["name"]] = value
        return self.answer(value, 201)

    def do_DELETE(self):
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        _, plural, space, name, _ = self.place()
        if objects.pop((plural, space, name), None) is None:
            return self.refuse(404, "NotFound", f'{plural} "{name}" not found')
        with open(folder / "removed", "a", encoding="utf-8") as file:
            print(f"{space}/{plural}/{name}", file=file)
        return self.answer({"kind": "Status", "apiVersion": "v1", "status": "Success"})

    def do_PATCH(self):
        """A status or labels, for the tests: merged into the object."""
        patch = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        _, plural, space, name, _ = self.place()
        value = objects[plural, space, name]
        for key, part in patch.items():
            value[key] = {**value.get(key, {}), **part} if isinstance(part, dict) else part
        return self.answer(value)


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
cluster = {"name": "c", "cluster": {"server": f"http://127.0.0.1:{server.server_port}"}}
context = {"name": "c", "context": {"cluster": "c", "user": "u", "namespace": "gpu-tests"}}
(folder / "config").write_text(
    json.dumps(
        {
            "apiVersion": "v1",
            "kind": "Config",
            "clusters": [cluster],
            "contexts": [context],
            "current-context": "c",
            "users": [{"name": "u", "user": {}}],
        }
    )
)
(folder / "port").write_text(str(server.server_port))
server.serve_forever()
