"""sfumato anonymize: from a CSV file, or a project file, to a checked release with the least possible loss."""

from __future__ import annotations

from typing import Annotated

from sfumato.cli.options import DIALECT, AsJson, Data, Declared, Given, ShowValues
from sfumato.cli.projects import project_of, require_options
from sfumato.cli.running import run_project
from sfumato.settings.data_options import ENGINE


def anonymize(
    data: Data,
    options: Annotated[
        Given,
        Declared(
            *("output", "require", "qi", "sensitive", "target", "unit", "weight", "identifier", "insensitive", "set"),
            *("separator", "loss", "recoding", "suppression", "suppression_limit", "algorithm", "set_recoding"),
            *("set_algorithm", "at", "remedy", "time_limit", "threads", "seed", "strip", *DIALECT, "memory_limit"),
            *("report", "front", "query", "without_reference", "spreadsheet_safe", *ENGINE),
        ),
    ],
    as_json: AsJson = False,
    show_values: ShowValues = False,
) -> int:
    """Blur DATA until the requirements hold, with the least possible loss, and write it.

    DATA is a CSV file that starts with a line that names its columns (also .csv.gz), a Parquet file or a folder of
    them, or a table of a DuckDB or SQLite database (`clinic.duckdb::visits`); or it is elsewhere, and DATA a URI such
    as `s3://bucket/visits.parquet` or `postgres://user@host/clinic::visits`. It needs --qi, --require and -o; columns
    without a role are left out. Or DATA is a project file, which says all this itself (`sfumato init` drafts one);
    options override what it says.

    The release is checked independently before it gets its name. Nothing is written if the requirements cannot be met
    (exit code 1). Ctrl-C stops the search and takes the best so far.

    Examples:

        sfumato anonymize people.csv -o released.csv \\
            --qi age=intervals:5,10,20,40 --qi zipcode=zipcode.csv --qi sex=flat \\
            --sensitive disease --require k-anonymity:k=5 --suppression-limit 1%

        sfumato anonymize visits.csv -o released.csv --qi age=intervals:5,10,20 --set diagnoses=codes.csv \\
            --require k-anonymity:k=5 --require km-anonymity:k=5,m=2

        sfumato anonymize sfumato.toml --require k-anonymity:k=10 -o released-10.csv

        sfumato anonymize sfumato.toml --at age=2,zipcode=3,sex=0 -o released.csv
    """
    require_options("anonymize", data, options, "output", *([] if options.get("set") else ["qi"]), "require")
    return run_project(project_of(data, options), data.name, as_json=as_json)
