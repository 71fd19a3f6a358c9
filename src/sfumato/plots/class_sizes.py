"""How many people are in groups of which size, before and after."""

from __future__ import annotations

from collections.abc import Sequence

from sfumato.plots.histogram import Bin, Histogram


def class_sizes_info(bands: Sequence[tuple[int, int | None, int, int]]) -> Histogram:
    """The shares of records in classes of each band of sizes: (least, most, records before, records after).

    The last band may have no limit. Empty bands at either end are left out.
    """
    before, after = sum(band[2] for band in bands) or 1, sum(band[3] for band in bands) or 1
    bins = [Bin(_label(least, most), (old / before, new / after)) for least, most, old, new in bands]
    used = [i for i, one in enumerate(bins) if any(one.shares)] or [0]
    shares = "; ".join(f"{one.label}: {one.shares[0]:.1%} before, {one.shares[1]:.1%} after" for one in bins)
    return Histogram(
        title="Sizes of groups that look alike",
        description=f"Share of the records that are in groups of each size. {shares}.",
        series=("before", "after"),
        bins=tuple(bins[used[0] : used[-1] + 1]),
        axis="size of the group",
    )


def _label(least: int, most: int | None) -> str:
    if most is None:
        return f"{least:,}+"
    return str(least) if least == most else f"{least}–{most}"
