"""OpenAPI v2 in the protocol buffers of gnostic's OpenAPIv2.proto, the only form in which kubectl asks for it."""
import json


def varint(number):
    out = b""
    while number > 127:
        out += bytes([number & 127 | 128])
        number >>= 7
    return out + bytes([number])


def field(number, content):
    """A message's field: text, bytes of an inner message, or a truth."""
    if isinstance(content, bool):
        return varint(number << 3) + varint(int(content))
    if isinstance(content, str):
        content = content.encode()
    return varint(number << 3 | 2) + varint(len(content)) + content


def schema(value):
    out = b""
    if "$ref" in value:
        out += field(1, value["$ref"])
    if "format" in value:
        out += field(2, value["format"])
    for name in value.get("required", []):
        out += field(18, name)
    if isinstance(value.get("additionalProperties"), dict):
        out += field(21, field(1, schema(value["additionalProperties"])))
    if "type" in value:
        out += field(22, field(1, value["type"]))
    if "items" in value:
        out += field(23, field(1, schema(value["items"])))
    if value.get("properties"):
        out += field(25, named(value["properties"]))
    for name, extra in value.items():
        if name.startswith("x-"):  # as YAML
            out += field(31, field(1, name) + field(2, field(2, json.dumps(extra))))
    return out


def named(schemas):
    return b"".join(field(1, field(1, name) + field(2, schema(value))) for name, value in schemas.items())


def document(definitions):
    info = field(1, "Kubernetes") + field(2, "cut")
    return field(1, "2.0") + field(2, info) + field(8, b"") + field(9, named(definitions))
