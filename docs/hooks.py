"""What MkDocs does not do by itself: pages from the root of the repository, search from the disk, and no other host."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File

ROOT = Path(__file__).resolve().parents[1]
# These pages are written for readers of the repository, and are pages of the site as well.
FROM_ROOT = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "SECURITY.md": "security.md",
    "benchmarks/README.md": "benchmarks.md",
}
# What a browser fetches by itself; links that a reader clicks may lead anywhere.
FETCHED = re.compile(
    r"""<(?:script|img|iframe|source|audio|video|embed|object)\b[^>]*?\b(?:src|srcset|data)\s*=\s*["']?\s*(?:https?:)?//
      | <link\b[^>]*?\bhref\s*=\s*["']?\s*(?:https?:)?//
      | url\(\s*["']?\s*(?:https?:)?//
      | @import\s+["']\s*(?:https?:)?//""",
    re.VERBOSE | re.IGNORECASE,
)


FAMILIES = {"Privacy models": "privacy", "Losses": "loss", "Recodings": "recoding", "Algorithms": "algorithms"}


def on_config(config: Any) -> Any:
    """Gives the page of each part a place in the navigation: after those that have one, under its own title."""
    for section in config.nav:
        ((title, pages),) = section.items()
        if family := FAMILIES.get(title):
            placed = {page for entry in pages for page in entry.values()}
            pages_of = sorted(path.name for path in (Path(config.docs_dir) / family).glob("*.md"))
            pages += [f"{family}/{name}" for name in pages_of if f"{family}/{name}" not in placed]
    return config


def on_files(files: Any, config: Any) -> Any:
    """Adds the pages from the root, with links as they are seen from `docs`."""
    for source, page in FROM_ROOT.items():
        text = (ROOT / source).read_text(encoding="utf-8")
        files.append(File.generated(config, page, content=seen_from_docs(text)))
    return files


def on_page_content(html: str, **_: Any) -> str:
    """Code in the running text: bars of cells without the backslash of tables, and places to break long names.

    Tables of numbers are marked, so that narrow screens show more of their columns.
    """
    html = re.sub(r"<code>([^<]*)</code>", lambda match: f"<code>{breakable(match[1])}</code>", html)
    return re.sub(r"<table>.*?</table>", lambda match: narrowed(match[0]), html, flags=re.DOTALL)


def on_post_build(config: Any) -> None:
    """Makes search work from the disk, and fails if a page would fetch something from another host."""
    site = Path(config.site_dir)
    bundle_search(site / "search", Path(config.docs_dir) / "assets" / "search.js")
    if elsewhere := fetched_from_elsewhere(site):
        raise PluginError("These pages fetch something from another host: " + ", ".join(elsewhere))


def seen_from_docs(text: str) -> str:
    """A text of the repository's root with its links to pages as the pages lie in the site."""
    for source, page in FROM_ROOT.items():
        text = text.replace(f"]({source}", f"]({page}")
    return text.replace("](docs/", "](")


def breakable(code: str) -> str:
    """Code that narrow columns may break after a slash or an underscore."""
    return re.sub(r"([/_])(?=\w)", r"\1<wbr>", code.replace("\\|", "|"))


def narrowed(table: str) -> str:
    """A table of numbers by its class: four columns or more, nearly all cells of a few characters."""
    header, *rows = (re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL) for row in table.split("</tr>")[:-1])
    lengths = [[len(re.sub(r"<[^>]*>", "", cell)) for cell in row] for row in rows]
    short = [length <= 20 for row in lengths for length in row]
    if len(header) < 4 or sum(short) < 0.8 * len(short):
        return table
    kind = "numbers named" if any(row[0] > 20 for row in lengths) else "numbers"
    return table.replace("<table>", f'<table class="{kind}">', 1)


def bundle_search(folder: Path, script: Path) -> None:
    """One script with the library, the index and our own lines: browsers let no page from the disk load the index."""
    index = json.loads((folder / "search_index.json").read_text(encoding="utf-8"))
    library = (folder / "lunr.js").read_text(encoding="utf-8")
    sections = [doc for doc in index["docs"] if "#" in doc["location"]]  # the others are whole pages, said again
    docs = json.dumps(sections, ensure_ascii=False)
    bundle = f"{library}\nvar searchDocs = {docs};\n{script.read_text(encoding='utf-8')}"
    (folder / "main.js").write_text(bundle, encoding="utf-8")
    for unused in ("lunr.js", "worker.js", "search_index.json"):
        (folder / unused).unlink()


def fetched_from_elsewhere(site: Path) -> list[str]:
    """The pages and styles that would fetch something from another host."""
    paths = sorted(path for path in site.rglob("*") if path.suffix in {".html", ".css", ".svg"})
    return [str(path.relative_to(site)) for path in paths if FETCHED.search(path.read_text(encoding="utf-8"))]
