"""What the shell offers when somebody presses Tab after an option that names a part."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

Complete = Callable[[str], list[tuple[str, str]]]


def names_of(family: str, *others: str, transactions: bool = False) -> Complete:
    """The names in a family of parts (`privacy`, `loss`, `recoding`, `algorithms`) that begin as typed, and others.

    transactions: those for transactions, instead of those for tables.
    """

    def complete(incomplete: str) -> list[tuple[str, str]]:
        from sfumato.settings.registry import parts, table_parts  # whoever does not press Tab does not wait for it

        module = import_module(f"sfumato.{family}")
        tables = table_parts(module)
        chosen = {name: part for name, part in parts(module).items() if transactions != (name in tables)}
        parts_offered = {name: part.__doc__ or "" for name, part in chosen.items()}
        offered = {**dict.fromkeys(others, ""), **parts_offered}
        return [(name, summary.split("\n")[0]) for name, summary in offered.items() if name.startswith(incomplete)]

    return complete
