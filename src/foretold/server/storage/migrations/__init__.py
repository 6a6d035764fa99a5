"""The migrations of the database, step by step.

During a deploy, nodes of the last release work on the schema of the next one, and may be restarted.
So a migration only adds: tables, or columns with a default. It is then called, for example,
`0010_from_0009`: versions from 0009 on can go on. What nobody needs any more is deleted one release
later. A migration that cannot keep to this has a plain number, and CHANGELOG.md says that all nodes
must be stopped for it.
"""
