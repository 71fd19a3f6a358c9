"""Fuzzing: whatever is read or handed to the core is read, or refused; never a crash, another error, or a wait."""
