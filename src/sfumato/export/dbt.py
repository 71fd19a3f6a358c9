"""dbt: the lookup tables as seeds, the view as a model, and a test of each requirement on what the model publishes."""

from __future__ import annotations

import csv
import json
import os
import re
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path
from typing import Any

from sqlglot import exp

from sfumato.data.inputs import Output, require_apart
from sfumato.engines import workspace
from sfumato.errors import ProblemError
from sfumato.export.classes import UNIT, PublishedClasses
from sfumato.export.dialects import Dialect, Sql
from sfumato.export.exported import DbtExport
from sfumato.export.lookup import Lookups, LookupTable
from sfumato.export.requirements import Requirement, Requirements
from sfumato.export.script import REMARKS, lookups_of, remarks, require_distinguishable, source_name
from sfumato.export.view import View, columns_of
from sfumato.settings.given import path_of
from sfumato.solution import Solution

_MARK = "sfumato_reference_"  # stands for a reference while the SQL is written
_READ_AS_MISSING = {"", "null"}  # what dbt makes of texts in seeds, without regard to case and spaces
_LEFT_OUT = """\
{{{{ config(severity='warn') }}}}
-- More rows are left out than when this was made: new values, or classes that were not published. Solve anew.
SELECT source_rows - published_rows AS left_out
FROM (SELECT COUNT(*) AS source_rows FROM {source}) AS s
CROSS JOIN (SELECT COUNT(*) AS published_rows FROM {view}) AS p
WHERE source_rows - published_rows > {suppressed}
"""


@dataclass
class _References:
    """Tables that dbt names: marks in their place until the SQL is a text."""

    jinja: list[str] = field(default_factory=list)

    def table(self, text: str) -> exp.Table:
        if text not in self.jinja:
            self.jinja.append(text)
        return exp.to_table(f"{_MARK}{self.jinja.index(text)}_")

    def written(self, sql: str) -> str:
        """The SQL with its references; what else looks like Jinja is text."""
        quoted = re.sub(r"\{[{%#]", lambda match: "{{ '" + match[0] + "' }}", sql)
        return re.sub(rf"{_MARK}(\d+)_", lambda match: self.jinja[int(match[1])], quoted)


def write_dbt(
    solution: Solution,
    folder: str | os.PathLike[str],
    dialect: str,
    table: str | None,
    view: str | None,
    types: Mapping[str, str],
) -> DbtExport:
    """Writes seeds, model and tests below the folder, all or none."""
    to = Dialect.of(dialect)
    lookups = lookups_of(solution, types)
    require_distinguishable(lookups, to)
    source = to.table(table or source_name(solution), "table")
    model = view or f"{source.name}_published"
    if not re.fullmatch(r"\w+", model, re.ASCII):
        raise ProblemError(f"view = '{model}' is not a name of a dbt model; use letters, figures and _.")
    part = _Part(solution, lookups, to, source, model)
    root, files = path_of(folder, "folder"), part.files()
    require_apart([Output(root / path, "a file for dbt") for path in files], solution.problem.data.inputs)
    solution.problem.data.require_unchanged()
    with ExitStack() as drafts:
        for path, text in files.items():
            target = root / path
            target.parent.mkdir(parents=True, exist_ok=True)
            draft = drafts.enter_context(workspace.drafted(target))
            draft.write_text(text, encoding="utf-8", newline="\n")
    untested = {one.key: one.reason for one in part.requirements if one.reason}
    return DbtExport(root, tuple(map(Path, files)), untested)


class _Part:
    """The texts of a dbt project's part, by path."""

    def __init__(self, solution: Solution, lookups: Lookups, dialect: Dialect, source: exp.Table, model: str) -> None:
        self._solution, self._lookups, self._dialect = solution, lookups, dialect
        self._source, self._model = source, model
        self._references = _References()
        self._origin = f"{model}_source"  # a project may have several parts about one table
        self._read = f"{{{{ source('{self._origin}', '{source.name}') }}}}"
        self._reference = f"{{{{ ref('{model}') }}}}"
        self._view = View(lookups, dialect, self._references.table(self._read), self._seed)
        table = solution.problem.data
        published: Sql = self._references.table(self._reference)
        if table.unit is not None:  # who it is about is not published
            published = self._view.query({UNIT: table.unit}).subquery()
        names = [attribute.name for attribute in table.frequencies.quasi_identifiers]
        classes = PublishedClasses(self._view, published, names, table.unit)
        all_of_them = Requirements(classes, table.frequencies, solution.question.constraints)
        self.requirements = all_of_them.all()
        self._tables = [*lookups.tables, *all_of_them.tables]

    def files(self) -> dict[str, str]:
        """All files."""
        header = f"{{{{ config(materialized='view') }}}}\n{remarks(self._solution)}"
        model = f"{header}{self._sql(self._view.query())}\n"
        seeds = {f"seeds/{self._model}_{one.name}.csv": _csv(one) for one in self._tables}
        return {
            **seeds,
            f"models/{self._model}.sql": model,
            f"models/{self._model}.yml": json.dumps(self._properties(), ensure_ascii=False, indent=2) + "\n",
            f"seeds/{self._model}_seeds.yml": json.dumps(self._seeds(), ensure_ascii=False, indent=2) + "\n",
            **{f"tests/{name}.sql": text for name, text in self._tests().items()},
        }

    def _seed(self, one: LookupTable) -> exp.Table:
        return self._references.table(f"{{{{ ref('{self._model}_{one.name}') }}}}")

    def _sql(self, query: Sql) -> str:
        return self._references.written(self._dialect.render(query))

    def _tests(self) -> dict[str, str]:
        tests = {}
        for one in self.requirements:
            for number, query in enumerate(one.queries, start=1):
                slug = re.sub(r"\W+", "_", one.key, flags=re.ASCII).strip("_")
                name = f"{self._model}_{slug}" + (f"_{number}" if number > 1 else "")
                tests[name] = f"-- {one.key}: the classes that violate it\n{self._sql(query)}\n"
        tests[f"{self._model}_left_out"] = _LEFT_OUT.format(
            source=self._read, view=self._reference, suppressed=self._solution.suppressed
        )
        return tests

    def _properties(self) -> dict[str, Any]:
        """What dbt wants to be told of the source and the model; JSON is YAML."""
        lines = [f"{one.key}: {_described(one)}" for one in self.requirements]
        source: dict[str, Any] = {"name": self._origin, "tables": [{"name": self._source.name}]}
        source["schema"] = self._source.db or "{{ target.schema }}"
        if self._source.catalog:
            source["database"] = self._source.catalog
        description = _literally("\n".join([REMARKS, "", *lines]))
        columns = [{"name": one, "quote": True} for one in self._lookups.rows.plan.order]
        model = {"name": self._model, "description": description, "columns": columns}
        return {"version": 2, "sources": [source], "models": [model]}

    def _seeds(self) -> dict[str, Any]:
        seeds = [
            {
                "name": f"{self._model}_{one.name}",
                "description": "Made by sfumato. It has values as they came: whoever reads the view may not read it.",
                "config": {"quote_columns": True, "column_types": columns_of(one, self._dialect)},
            }
            for one in self._tables
        ]
        return {"version": 2, "seeds": seeds}


def _described(one: Requirement) -> str:
    return f"not tested, {one.reason}" if one.reason else one.promise


def _literally(text: str) -> str:
    """A text without what Jinja would look at."""
    return re.sub(r"\{(?=[{%#])", "{ ", text)


def _csv(table: LookupTable) -> str:
    """A seed; a ProblemError if dbt would take one of its texts for a missing value."""
    texts: Sequence[int] = [i for i, kind in enumerate(table.columns.values()) if kind.name == "text"]
    strange = [row[i] for row in table.rows for i in texts if (row[i] or "-").strip().lower() in _READ_AS_MISSING]
    if strange:
        raise ProblemError(
            f"dbt takes {len(strange):,} texts of seed '{table.name}' for missing values (blank, or null); export a "
            "view with its tables as SQL instead.",
            hidden_values=[text for text in strange if text is not None],
        )
    out = StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(table.columns)
    writer.writerows(["" if cell is None else cell for cell in row] for row in table.rows)
    return out.getvalue()
