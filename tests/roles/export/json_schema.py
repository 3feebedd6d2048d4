"""Enough of JSON schema (draft 2020-12) to check values against the schemas that are shipped."""

KINDS = {
    "object": lambda v: isinstance(v, dict),
    "array": lambda v: isinstance(v, list),
    "string": lambda v: isinstance(v, str),
    "number": lambda v: isinstance(v, int | float) and not isinstance(v, bool),
    "integer": lambda v: isinstance(v, int) and not isinstance(v, bool),
    "null": lambda v: v is None,
}
KNOWN = {
    "$schema", "title", "type", "properties", "required", "additionalProperties", "items", "enum", "const", "minLength",
    "minItems", "uniqueItems", "minimum", "maximum",
}  # fmt: skip


def complaints(value, schema, where="$"):
    """What is wrong with the value, a line each; a word of the schema that is not known here is an error."""
    assert set(schema) <= KNOWN, set(schema) - KNOWN
    kinds = schema.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if kinds and not any(KINDS[kind](value) for kind in kinds):
        return [f"{where}: {value!r} is no {kinds}"]
    found = [f"{where}: {value!r} is not {schema['const']!r}"] if value != schema.get("const", value) else []
    found += [f"{where}: {value!r} is none of {schema['enum']}"] if value not in schema.get("enum", [value]) else []
    if isinstance(value, str | list) and len(value) < schema.get("minLength", schema.get("minItems", 0)):
        found.append(f"{where}: too short")
    if isinstance(value, int | float) and not schema.get("minimum", value) <= value <= schema.get("maximum", value):
        found.append(f"{where}: {value} is out of range")
    if isinstance(value, list):
        if schema.get("uniqueItems") and len(set(map(repr, value))) < len(value):
            found.append(f"{where}: something is listed twice")
        for k, item in enumerate(value):
            found += complaints(item, schema.get("items", {}), f"{where}[{k}]")
    if isinstance(value, dict):
        parts = schema.get("properties", {})
        found += [f"{where}: {key} is missing" for key in schema.get("required", []) if key not in value]
        if schema.get("additionalProperties") is False:
            found += [f"{where}: {key} is too much" for key in value if key not in parts]
        for key, part in parts.items():
            found += complaints(value[key], part, f"{where}.{key}") if key in value else []
    return found
