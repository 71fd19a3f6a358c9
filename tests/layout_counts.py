"""What the layout test counts in the package's sources: imports, layers, functions, and tests of what a thing is."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path

Function = ast.FunctionDef | ast.AsyncFunctionDef
PART_ROOMS = {"privacy", "loss", "recoding", "algorithms"}
# The classes that parts, problems, solutions and their recodings derive from.
BASES = {"Algorithm", "ClassModel", "ItemsetAlgorithm", "ItemsetModel", "Loss", "Problem", "Recoding", "Solution"}
# Attributes that show the kind of a part or problem, where it should be asked what it can do.
MARKS = {"anonymizes", "front", "least_support", "local", "population", "reads", "set_constraints", "widths"}


class Module:
    """One file of the package."""

    def __init__(self, source: Path, path: Path) -> None:
        self.path = path
        self.text = path.read_text(encoding="utf-8")
        self.tree = ast.parse(self.text)
        relative = path.relative_to(source)
        self.name = ".".join(["sfumato", *relative.with_suffix("").parts]).removesuffix(".__init__")
        self.room = relative.parts[0].removesuffix(".py")

    @property
    def lines(self) -> int:
        """The lines of the file."""
        return len(self.text.splitlines())

    @cached_property
    def functions(self) -> list[Function]:
        """All functions and methods."""
        return [node for node in ast.walk(self.tree) if isinstance(node, Function)]

    @cached_property
    def kinds(self) -> set[str]:
        """The classes here that are a kind of part, problem, solution or recoding; those of capabilities are not."""
        classes = [node for node in ast.walk(self.tree) if isinstance(node, ast.ClassDef)]
        registered = {c.name for c in classes if self.room in PART_ROOMS and "paper" in map(_assigned, c.body)}
        endings = ("Recoding",) if self.room == "recoding" else ("Problem", "Solution")
        at_root = self.room == "recoding" or self.room.endswith(("problem", "solution"))
        return registered | {c.name for c in classes if at_root and c.name.endswith(endings)}

    @cached_property
    def imports(self) -> set[str]:
        """The names that are imported from the package: anywhere in the file, type-only imports included."""
        return set(_imported(ast.walk(self.tree)))

    @cached_property
    def local_imports(self) -> list[ast.stmt]:
        """The import statements inside functions."""
        inside = {node for function in self.functions for node in ast.walk(function)}
        return [node for node in inside if isinstance(node, ast.Import | ast.ImportFrom)]

    @cached_property
    def own_imports(self) -> set[str]:
        """The names that the module imports from the package itself, type-only imports included."""
        return set(_imported(node for node in ast.walk(self.tree) if node not in self.local_imports))


class Package:
    """All files of the package."""

    def __init__(self, source: Path) -> None:
        self.source = source
        self.modules = {m.name: m for m in (Module(source, path) for path in sorted(source.rglob("*.py")))}

    @property
    def root_modules(self) -> list[str]:
        """The modules that are in no room."""
        return [name for name, m in self.modules.items() if m.path.parent == self.source and m.room[:2] != "__"]

    def longer_than(self, lines: int) -> list[str]:
        """The modules of more lines."""
        return [f"{name} ({m.lines})" for name, m in self.modules.items() if m.lines > lines]

    def functions_longer_than(self, lines: int) -> list[str]:
        """The functions and methods of more lines, from their `def` to their end."""
        lengths = {
            f"{module.name}.{function.name}": (function.end_lineno or 0) - function.lineno + 1
            for module in self.modules.values()
            for function in module.functions
        }
        return [f"{name} ({length})" for name, length in lengths.items() if length > lines]

    @property
    def kind_tests(self) -> list[str]:
        """Where `isinstance` or `match` tests the kind of a part, problem, solution or recoding.

        Oracles are left out: they share nothing with what they are compared with, capabilities included.
        """
        kinds = BASES.union(*(module.kinds for module in self.modules.values()))
        return [
            f"{module.name}:{line}"
            for module in self.modules.values()
            if module.room != "testing"
            for line, named in _kinds_tested(module.tree)
            if named & kinds
        ]

    @property
    def mark_tests(self) -> list[str]:
        """Where `hasattr` or `getattr` looks for a mark of a part's kind."""
        return [
            f"{module.name}:{node.lineno}"
            for module in self.modules.values()
            for node in ast.walk(module.tree)
            if isinstance(node, ast.Call)
            and module.room != "testing"
            and ast.unparse(node.func) in {"hasattr", "getattr"}
            and isinstance(node.args[1], ast.Constant)
            and node.args[1].value in MARKS
        ]

    @property
    def local_imports(self) -> list[str]:
        """The import statements inside functions."""
        return [f"{m.name}:{node.lineno}" for m in self.modules.values() for node in m.local_imports]

    def layer_breaks(self, rank: Mapping[str, int]) -> dict[tuple[str, str], list[str]]:
        """The modules that import what is right of them, by their room and the other."""
        breaks: dict[tuple[str, str], list[str]] = {}
        for module in self.modules.values():
            for name in sorted(module.imports):
                other = name.split(".")[1]
                if rank.get(other, -1) > rank.get(module.room, len(rank)):
                    breaks.setdefault((module.room, other), []).append(f"{module.name} imports {name}")
        return breaks

    def largest_cycle(self, left_out: Collection[tuple[str, str]]) -> list[str]:
        """The most modules that all import each other, by however many steps, type-only imports included.

        Imports inside functions do not count, nor those from one room to another that are left out.
        """
        ways = {
            name: {
                other
                for other in map(self._module_of, module.own_imports)
                if other != name and other in self.modules and (module.room, self.modules[other].room) not in left_out
            }
            for name, module in self.modules.items()
        }
        reached = {name: _reached(ways, name) for name in ways}
        cycles = (sorted(other for other in reached[name] if name in reached[other]) for name in ways)
        return max(cycles, key=len, default=[])

    def _module_of(self, imported: str) -> str:
        """The module of a name: itself, or the one that it is taken from."""
        return imported if imported in self.modules else imported.rpartition(".")[0]


def _imported(nodes: Iterable[ast.AST]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        yield from (name for name in names if name.startswith("sfumato."))


def _assigned(node: ast.stmt) -> str:
    """The name that a statement of a class assigns to."""
    if isinstance(node, ast.AnnAssign):
        return ast.unparse(node.target)
    return ast.unparse(node.targets[0]) if isinstance(node, ast.Assign) else ""


def _kinds_tested(tree: ast.Module) -> Iterator[tuple[int, set[str]]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func) in {"isinstance", "issubclass"}:
            names = ast.walk(node.args[1])
        elif isinstance(node, ast.MatchClass):
            names = ast.walk(node.cls)
        else:
            continue
        yield (
            node.lineno,
            {
                name.id if isinstance(name, ast.Name) else name.attr
                for name in names
                if isinstance(name, ast.Name | ast.Attribute)
            },
        )


def _reached(ways: Mapping[str, set[str]], start: str) -> set[str]:
    seen: set[str] = set()
    waiting = [start]
    while waiting:
        for name in ways.get(waiting.pop(), set()) - seen:
            seen.add(name)
            waiting.append(name)
    return seen
