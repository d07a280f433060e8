"""Checks an object against the cuts of schemas in tests/data/kubernetes, strictly: a name that the schema does not have is
a fault, as it is to an API server."""
import re

OPEN = "x-kubernetes-preserve-unknown-fields"
KINDS = {
    "object": dict,
    "array": list,
    "string": str,
    "boolean": bool,
    "integer": int,
    "number": (int, float),
}


def faults(value, schema, definitions, path=""):
    """What is wrong, a line each."""
    if "$ref" in schema:
        schema = definitions[schema["$ref"].split("/")[-1]]
    kind = schema.get("type")
    # A quantity and an IntOrString are texts in the schema, and may be numbers.
    if schema.get("x-kubernetes-int-or-string") or schema.get("format") == "int-or-string":
        return [] if isinstance(value, (int, str)) and not isinstance(value, bool) else [f"{path}: no number and no text"]
    wrong = kind and not isinstance(value, KINDS[kind]) or (kind in ("integer", "number") and isinstance(value, bool))
    if wrong:
        return [f"{path}: {value!r} is not of type {kind}"]
    if "enum" in schema and value not in schema["enum"]:
        return [f"{path}: {value!r} is none of {schema['enum']}"]
    if "pattern" in schema and not re.search(schema["pattern"], value):
        return [f"{path}: {value!r} does not match {schema['pattern']}"]
    if "minimum" in schema and value < schema["minimum"]:
        return [f"{path}: {value} is less than {schema['minimum']}"]
    found = []
    if isinstance(value, list):
        for i, item in enumerate(value):
            found += faults(item, schema.get("items", {}), definitions, f"{path}[{i}]")
    if isinstance(value, dict):
        known = schema.get("properties", {})
        rest = schema.get("additionalProperties")
        found += [f"{path}: {name} is missing" for name in schema.get("required", []) if name not in value]
        for name, item in value.items():
            place = f"{path}.{name}"
            if name in known:
                found += faults(item, known[name], definitions, place)
            elif isinstance(rest, dict):
                found += faults(item, rest, definitions, place)
            elif not (schema.get(OPEN) or rest or (not known and kind in ("object", None))):
                found.append(f"{place}: the schema has no such name")
    return found


class Schemas:
    """One release of Kubernetes and of each operator."""

    def __init__(self, kubernetes, operators):
        self.definitions = kubernetes["definitions"]
        self.kinds = {}  # (apiVersion, kind) → schema
        for definition in self.definitions.values():
            for one in definition.get("x-kubernetes-group-version-kind", []):
                version = "/".join(part for part in (one["group"], one["version"]) if part)
                self.kinds[version, one["kind"]] = definition
        for operator in operators:
            self.kinds[f"{operator['group']}/{operator['version']}", operator["kind"]] = operator["schema"]

    def faults(self, value):
        schema = self.kinds.get((value.get("apiVersion"), value.get("kind")))
        if schema is None:
            return [f"there is no {value.get('apiVersion')} {value.get('kind')}"]
        return faults(value, schema, self.definitions, value["kind"])
