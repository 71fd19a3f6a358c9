"""Publishes a frame whose rows take their time, in a process of its own: `driver.py MASTER FOLDER ROWS MILLISECONDS`.

A row that is written sleeps in the JVM, and says there, in a property, that its turn has come.
"""

from __future__ import annotations

import sys

from sfumato.cli import main
from sfumato.engines import SparkSettings

place, folder, rows, milliseconds = sys.argv[1:]
settings = SparkSettings(remote=place) if place.startswith("sc:") else SparkSettings(master=place, config={
    "spark.ui.enabled": False, "spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1",
    "spark.sql.shuffle.partitions": 3, "spark.executor.memory": "512m", "spark.executor.cores": 1,
})  # fmt: skip
session = settings.session()
turn = "java_method('java.lang.System', 'setProperty', 'sfumato.turn', cast(id AS string))"
sleep = f"java_method('java.lang.Thread', 'sleep', {milliseconds}L)"
frame = session.range(0, int(rows), 1, max(int(rows) // 4, 1)).selectExpr(
    "cast(id div 10 AS string) AS q", f"concat(id, substring(concat({turn}, {sleep}), 1, 0)) AS note"
)
frame.createOrReplaceTempView("slow")
sys.exit(
    main([
        *("anonymize", "slow", "-o", f"{folder}/slow.parquet"),
        *(("--spark-remote", place) if place.startswith("sc:") else ("--engine", "spark")),
        *("--qi", "q=flat", "--insensitive", "note", "--require", "k-anonymity:k=5", "--seed", "7"),
    ])
)  # fmt: skip
