"""Checks a value against a JSON Schema (2020-12): only the keywords that common/protocol.schema.json uses. Another one in a schema is an
error, not ignored.

    Schema(json.load(file)).faults(value)   # [] or a list of (path, what is wrong)
"""
import re

TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None)}
NOTES = {"$schema", "$defs", "title", "description"}


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def is_of(value, name):
    if name == "number":
        return is_number(value)
    if name == "integer":
        return is_number(value) and value == int(value)
    return isinstance(value, TYPES[name])


def is_same(one, other):
    """Python takes true for 1."""
    return type(one) is type(other) and one == other


class Schema:
    def __init__(self, whole):
        self.whole = whole
        self.learn(whole)

    def learn(self, schema):
        """Refuses what faults() would pass over."""
        unknown = set(schema) - NOTES - {name[3:] for name in dir(self) if name.startswith("on_")} - {"$ref"}
        if unknown:
            raise ValueError(f"keywords that are not known: {sorted(unknown)}")
        for part in [*schema.get("$defs", {}).values(), *schema.get("properties", {}).values(), *schema.get("oneOf", [])]:
            self.learn(part)
        if "items" in schema:
            self.learn(schema["items"])
        if "$ref" in schema:
            self.resolve(schema["$ref"])

    def resolve(self, reference):
        root, defs, name = reference.split("/")
        if (root, defs) != ("#", "$defs"):
            raise ValueError(f"{reference}: only #/$defs/NAME is known")
        return self.whole["$defs"][name]

    def faults(self, value, schema=None, path="$"):
        schema = self.whole if schema is None else schema
        found = []
        if "$ref" in schema:
            found += self.faults(value, self.resolve(schema["$ref"]), path)
        for keyword, what in schema.items():
            if keyword not in NOTES and keyword != "$ref":
                found += getattr(self, "on_" + keyword)(value, what, schema, path)
        return found

    def on_type(self, value, names, schema, path):
        names = names if isinstance(names, list) else [names]
        return [] if any(is_of(value, name) for name in names) else [(path, f"{value!r} is not of type {' or '.join(names)}")]

    def on_const(self, value, want, schema, path):
        return [] if is_same(value, want) else [(path, f"{value!r} is not {want!r}")]

    def on_enum(self, value, wanted, schema, path):
        return [] if any(is_same(value, want) for want in wanted) else [(path, f"{value!r} is none of {wanted}")]

    def on_minLength(self, value, least, schema, path):
        return [] if not isinstance(value, str) or len(value) >= least else [(path, f"{value!r} has fewer than {least} characters")]

    def on_maxLength(self, value, most, schema, path):
        return [] if not isinstance(value, str) or len(value) <= most else [(path, f"{value!r} has more than {most} characters")]

    def on_properties(self, value, parts, schema, path):
        if not isinstance(value, dict):
            return []
        return [fault for name, part in parts.items() if name in value
                for fault in self.faults(value[name], part, f"{path}.{name}")]

    def on_required(self, value, names, schema, path):
        return [(path, f"{name} is missing") for name in names if name not in value] if isinstance(value, dict) else []

    def on_additionalProperties(self, value, allowed, schema, path):
        if allowed is not False:
            raise ValueError("additionalProperties can only be false here")
        known = schema.get("properties", {})
        return [(path, f"{name} is not known") for name in value if name not in known] if isinstance(value, dict) else []

    def on_items(self, value, part, schema, path):
        if not isinstance(value, list):
            return []
        return [fault for i, item in enumerate(value) for fault in self.faults(item, part, f"{path}[{i}]")]

    def on_minItems(self, value, least, schema, path):
        return [(path, f"fewer than {least} items")] if isinstance(value, list) and len(value) < least else []

    def on_maxItems(self, value, most, schema, path):
        return [(path, f"more than {most} items")] if isinstance(value, list) and len(value) > most else []

    def on_minimum(self, value, least, schema, path):
        return [(path, f"{value} is below {least}")] if is_number(value) and value < least else []

    def on_maximum(self, value, most, schema, path):
        return [(path, f"{value} is above {most}")] if is_number(value) and value > most else []

    def on_pattern(self, value, pattern, schema, path):
        is_wrong = isinstance(value, str) and not re.search(pattern, value)
        return [(path, f"{value!r} does not match {pattern}")] if is_wrong else []

    def on_oneOf(self, value, parts, schema, path):
        """Reports the faults of the part that comes nearest: of those that only fail within, the one with the fewest."""
        tried = [self.faults(value, part, path) for part in parts]
        count = sum(not faults for faults in tried)
        if count == 1:
            return []
        if count > 1:
            return [(path, f"{count} of the possible forms fit")]
        kinds = [faults for faults in tried if not any(at == path + ".type" for at, _ in faults)]
        return min(kinds, key=len) if kinds else [(path, "none of the possible forms fits")]
