"""The bill of materials of the wheel: what is installed with it, and what is compiled into it, as CycloneDX JSON.

Run by `make sbom`, in an environment that has sfumato and nothing else: python sbom.py LISTED.json SBOM.json
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

COMPILED = ("nanobind", "robin-map")  # header-only libraries whose code is in the extension modules
LICENCES = {"nanobind": "BSD-3-Clause", "robin-map": "MIT"}


def versions(folder: Path) -> dict[str, str]:
    """The versions of what is compiled in, read off the sources that nanobind brings."""
    header = (folder / "include" / "nanobind" / "nanobind.h").read_text(encoding="utf-8")
    growth = (folder / "ext" / "robin_map" / "include" / "tsl" / "robin_growth_policy.h").read_text(encoding="utf-8")
    return {
        "nanobind": ".".join(_number(header, f"NB_VERSION_{part}") for part in ("MAJOR", "MINOR", "PATCH")),
        "robin-map": ".".join(_number(growth, f"TSL_RH_VERSION_{part}") for part in ("MAJOR", "MINOR", "PATCH")),
    }


def _number(text: str, name: str) -> str:
    match = re.search(rf"#\s*define {name}\s+(\d+)", text)
    if match is None:
        raise SystemExit(f"{name} is not defined where it was; look where the version stands now.")
    return match[1]


def main(listed: Path, target: Path, nanobind: Path) -> None:
    """Adds what is compiled in to what is installed."""
    bill = json.loads(listed.read_text(encoding="utf-8"))
    bill["components"] = [one for one in bill["components"] if one["name"] not in {"pip", "setuptools", "sfumato"}]
    for name, version in versions(nanobind).items():
        bill["components"].append(
            {
                "type": "library",
                "bom-ref": f"{name}=={version}",
                "name": name,
                "version": version,
                "description": "compiled into the extension modules",
                "licenses": [{"license": {"id": LICENCES[name]}}],
            }
        )
    kept = {one["bom-ref"] for one in bill["components"]}
    for one in bill.get("dependencies", []):
        one["dependsOn"] = [ref for ref in one.get("dependsOn", []) if ref in kept]
    target.write_text(json.dumps(bill, indent=2) + "\n", encoding="utf-8")
    for one in bill["components"]:
        print(one["name"], one["version"])


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:4]))
