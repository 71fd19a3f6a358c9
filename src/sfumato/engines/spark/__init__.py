"""Spark: the engine for data on a cluster; nothing of pyspark is imported before somebody brings a frame."""

from sfumato.engines.spark.engine import SparkEngine
from sfumato.engines.spark.frames import is_session
from sfumato.engines.spark.sessions import SparkSettings

__all__ = ["SparkEngine", "SparkSettings", "is_session"]
