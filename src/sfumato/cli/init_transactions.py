"""sfumato init for transactions: how many there are, which items are rare, and a project file that runs."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from sfumato.settings.uri import Uri

if TYPE_CHECKING:
    from sfumato.profile import BasketDraft

_SETS = ("single items", "pairs of items")


def init_transactions(
    data: Path | Uri,
    source: Any,
    said: Mapping[str, str],
    csv: Mapping[str, str],
    directory: Path,
    *,
    force: bool,
    as_json: bool,
) -> int:
    """Draft a project of transactions that are read as `said`, and describe them."""
    from sfumato.profile import draft_transactions, write_transactions_project

    proposal = draft_transactions(data, source, said, csv=csv)
    written = write_transactions_project(proposal, directory, force=force)
    typer.echo(json.dumps(_as_json(proposal, written)) if as_json else "\n".join(_sentences(proposal, written)))
    return 0


def _sentences(draft: BasketDraft, written: Path) -> Iterator[str]:
    from sfumato.profile.draft import K

    data = draft.data
    each = int(data.items.occurrences.sum()) / max(data.total, 1)
    yield f"{draft.source.name}: {data.total:,} transactions of {draft.items:,} items, {each:.1f} on average."
    yield "No item is shown. Any of them may be what somebody knows of a transaction."
    yield ""
    if data.empty:
        yield f"  {data.empty:,} transactions without items are left out"
    if data.repeated:
        yield f"  {data.repeated:,} items that are in their transaction twice count once"
    for sets, rare in zip(_SETS, draft.rare, strict=False):
        yield f"  {rare:,} {sets} are in fewer than {K} transactions"
    yield from ("", f"{written} written.", "Read the project file, correct it, and run it:", "")
    yield f"  sfumato anonymize {written}"


def _as_json(draft: BasketDraft, written: Path) -> dict[str, Any]:
    data = draft.data
    return {
        "source": draft.source.name,
        "transactions": data.total,
        "distinct": len(data.items.records),
        "items": draft.items,
        "occurrences": int(data.items.occurrences.sum()),
        "empty": data.empty,
        "repeated": data.repeated,
        "rare": list(draft.rare),
        "project": str(written),
        "hierarchies": [],
    }
