"""What server and clients say to each other, stated once, as msgspec types.

What a client says is decoded, and so checked, with these types. What the server tells is built from
them, or checked against them by tests wherever it leaves (the hot path of a table builds its own
bytes). JSON Schema and the OpenAPI document, the client's TypeScript types and the tables of
docs/protocol.md are made from them: `make protocol` writes the files.

A string under a field is its description, in all of these.
"""
