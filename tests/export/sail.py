"""Runs SQL in Sail, job by job: JSON in, JSON out. It is run by itself, by a Python that has PySpark."""

from __future__ import annotations

import json
import sys

from pysail.spark import SparkConnectServer
from pyspark.sql import SparkSession


def main() -> None:
    server = SparkConnectServer("127.0.0.1", 0)
    server.start(background=True)
    _, port = server.listening_address
    results = []
    for job in json.load(sys.stdin):
        spark = SparkSession.builder.remote(f"sc://127.0.0.1:{port}").create()
        spark.conf.set("spark.sql.session.timeZone", "UTC")
        for statement in job["statements"]:
            spark.sql(statement)  # commands are run at once
        found = []
        for query in job["queries"]:
            rows = spark.sql(query).collect()
            found.append([[None if cell is None else str(cell) for cell in row] for row in rows])
        results.append(found)
        spark.stop()
    server.stop()
    print(json.dumps(results))  # noqa: T201


if __name__ == "__main__":
    main()
