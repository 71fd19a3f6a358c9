"""The bridge to the core: the only place that knows how a problem is handed over, and what comes back."""
