"""Whole runs on drawn problems: data in any form, solved, written, read again, and held against what must be."""
