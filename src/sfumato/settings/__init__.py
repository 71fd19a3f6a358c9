"""Settings: exact numbers and thresholds, quantities such as "5m" and "2GB", TOML, and the registry of parts."""
