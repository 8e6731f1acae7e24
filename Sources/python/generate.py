"""Writes places/types.py and places/_methods.py from the daemon's own description, `rpc.discover`.

    python3 generate.py < discover.json
"""
import json
import keyword
import pathlib
import sys
import textwrap

HEAD = '"""{}\n\nMade by generate.py from the daemon\'s `rpc.discover`; do not edit."""\n'
# What a function sends for a parameter that the daemon requires and the caller omits. `basic` is what placesctl requests.
DEFAULTS = {"fields": ["basic"]}
SCALARS = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "object": "dict[str, Any]", "array": "list[Any]"}


def annotation(schema):
    """A type as text, for annotations that are never evaluated."""
    if "$ref" in schema:
        return '"' + schema["$ref"].rsplit("/", 1)[1] + '"'
    if "enum" in schema:
        return "Literal[" + ", ".join(json.dumps(value) for value in schema["enum"]) + "]"
    if "oneOf" in schema:
        return "Union[" + ", ".join(dict.fromkeys(annotation(one) for one in schema["oneOf"])) + "]"
    kind = schema.get("type")
    if isinstance(kind, list):
        names = [SCALARS.get(one) for one in kind if one != "null"]
        return "Union[" + ", ".join(names) + "]" if len(names) > 1 else f"Optional[{names[0]}]"
    if kind == "array":
        return f"list[{annotation(schema.get('items', {}))}]"
    if kind == "object" and isinstance(schema.get("additionalProperties"), dict):
        return f"dict[str, {annotation(schema['additionalProperties'])}]"
    return SCALARS.get(kind, "Any")


def function(method):
    """`places.search` is `search`, `providers.list` is `providers_list`."""
    name = method.removeprefix("places.")
    name = {"service.info": "info", "rpc.discover": "discover"}.get(name, name)
    return name.replace(".", "_")


def is_point(schema):
    return set(schema.get("properties", {})) == {"latitude", "longitude"}


def argument(parameter):
    """A required parameter as an argument of its function."""
    name, kind = parameter["name"], annotation(parameter["schema"])
    if is_point(parameter["schema"]):
        # A second number is an error that deserves a message: `reverse(47.1, 9.5)`.
        return f", {name}: _wire.Point, *more: NoReturn"
    return f", {name}: Optional[{kind}] = None" if name in DEFAULTS else f", {name}: {kind}"


def sent(parameter):
    """The value that is sent for a required parameter."""
    name = parameter["name"]
    if is_point(parameter["schema"]):
        return f'_wire.point("{name}", {name}, more)'
    return f"{json.dumps(DEFAULTS[name])} if {name} is None else {name}" if name in DEFAULTS else name


def records(document):
    lines = [HEAD.format("The replies of the daemon."), "from __future__ import annotations\n"]
    lines.append("from typing import Any, Literal, Optional, TypedDict, Union\n\n")
    for name, schema in document["components"]["schemas"].items():
        needed = set(schema.get("required", []))
        members = list(schema.get("properties", {}).items())
        if any(keyword.iskeyword(key) for key, _ in members):
            # A class cannot have such a member. All are optional here.
            values = ", ".join(f'"{key}": {json.dumps(annotation(value))}' for key, value in members)
            lines.append(f'{name} = TypedDict("{name}", {{{values}}}, total=False)\n\n')
            continue
        for suffix, wanted in (("Always", True), ("", False)):
            chosen = [(key, value) for key, value in members if (key in needed) == wanted]
            base = f"_{name}Always" if not wanted else "TypedDict"
            title = f"class _{name}Always(TypedDict):" if wanted else f"class {name}({base}, total=False):"
            lines.append(title)
            if not wanted:
                lines.append(f'    """{schema.get("description", "")}"""\n')
            for key, value in chosen:
                lines.append(f"    {key}: {annotation(value)}")
                if value.get("description"):
                    lines.append(f'    """{value["description"]}"""')
            if not chosen and wanted:
                lines.append("    pass")
            lines.append("\n")
    return "\n".join(lines).rstrip() + "\n"


def methods(document):
    lines = [HEAD.format("A function for each method of the daemon."), "from __future__ import annotations\n"]
    lines.append("from typing import TYPE_CHECKING, Any, Literal, NoReturn, Optional, TypedDict, Union, cast\n")
    lines.append("from . import _wire\n")
    lines.append("if TYPE_CHECKING:\n    from typing_extensions import Unpack\n\n    from . import types\n    from .types import *\n\n")
    listed = [method for method in document["methods"] if not method["name"].startswith("$/")]
    for method in listed:
        options = [parameter for parameter in method["params"] if not parameter["required"] and parameter["name"] != "stream"]
        name = "".join(word.capitalize() for word in function(method["name"]).split("_")) + "Options"
        lines.append(f"class {name}(TypedDict, total=False):")
        lines.append(f'    """The optional parameters of {method["name"]}."""\n')
        for parameter in options:
            lines.append(f"    {parameter['name']}: {annotation(parameter['schema'])}")
            lines.append(f'    """{parameter["description"]}"""')
        lines.append("\n")
    for kind, word in (("Methods", "def"), ("AsyncMethods", "async def")):
        wait = "await " if kind == "AsyncMethods" else ""
        lines.append(f"class {kind}:")
        lines.append('    """The methods; `call` sends one."""\n')
        lines.append(f"    {word} call(self, method: str, params: dict[str, Any]) -> Any:")
        lines.append("        raise NotImplementedError\n")
        for method in listed:
            needed = [p for p in method["params"] if p["required"]]
            options = "".join(word.capitalize() for word in function(method["name"]).split("_")) + "Options"
            # An argument with a default follows those without one.
            needed.sort(key=lambda parameter: parameter["name"] in DEFAULTS)
            arguments = "".join(map(argument, needed))
            result = annotation(method["result"]["schema"]).strip('"')
            lines.append(f"    {word} {function(method['name'])}(self{arguments}, **options: Unpack[{options}]) -> {result}:")
            summary = method["summary"] + (" Administrators only." if method["x-access"] == "administrator" else "")
            lines.append(textwrap.indent(f'"""{summary}"""', " " * 8))
            own = ", ".join(f'"{p["name"]}": {sent(p)}' for p in needed)
            call = f'{wait}self.call("{method["name"]}", {{{own + (", " if own else "")}**options}})'
            lines.append(f"        return cast({json.dumps(result)}, {call})\n")
        lines.append("")
    return "\n".join(lines).rstrip() + "\n"


if __name__ == "__main__":
    description = json.load(sys.stdin)
    folder = pathlib.Path(__file__).parent / "places"
    (folder / "types.py").write_text(records(description), encoding="utf-8")
    (folder / "_methods.py").write_text(methods(description), encoding="utf-8")
