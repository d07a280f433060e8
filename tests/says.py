#!/usr/bin/env python3
"""Whether a Python expression holds of a JSON document d; where it does not, what its parts are.

usage: says.py [--lines] FILE EXPRESSION    (--lines: d is the list of the file's lines, a document each)
"""
import ast
import json
import sys


def short(value):
    text = json.dumps(value, ensure_ascii=False) if isinstance(value, (dict, list)) else repr(value)
    return text if len(text) <= 2000 else text[:2000] + " …"


def value_of(node, names):
    try:
        return eval(compile(ast.Expression(node), "<expression>", "eval"), names)
    except Exception as error:  # what it says is the answer
        return error


def false_part(node, names):
    """The first part of a conjunction that does not hold."""
    if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And):
        for part in node.values:
            value = value_of(part, names)
            if isinstance(value, Exception) or not value:
                return false_part(part, names)
    return node


def explain(node, names):
    node = false_part(node, names)
    print(f"not true: {ast.unparse(node)}")
    parts = [node.left, *node.comparators] if isinstance(node, ast.Compare) else [node]
    for part in parts:
        if not isinstance(part, ast.Constant):
            print(f"  {ast.unparse(part)} is {short(value_of(part, names))}")


def main():
    lines = sys.argv[1] == "--lines"
    path, expression = sys.argv[1 + lines:]
    with open(path, encoding="utf-8") as file:
        text = file.read()
    try:
        document = [json.loads(line) for line in text.splitlines()] if lines else json.loads(text)
    except json.JSONDecodeError as error:
        print(f"no JSON ({error}): {text[:2000]}")
        return 1
    names = {"json": json, "sys": sys, "d": document}
    node = ast.parse(f"({expression})", mode="eval").body
    value = value_of(node, names)
    if not isinstance(value, Exception) and value:
        return 0
    explain(node, names)
    print(f"  the document: {short(document)}")
    return 1


sys.exit(main())
