"""The messages between server and clients, defined once, as msgspec types.

Clients' messages are decoded with these types, and so checked. The server's messages are built from
them, or tests check them against these types (the hot path of a table builds its own bytes). JSON
Schema and the OpenAPI document, the client's TypeScript types and the tables in docs/protocol.md
are generated from them: `make protocol` writes the files.

A string under a field is its description in all of these.

May import `bots` and `verify`, and what is below them.
"""
