"""What algorithms written in Python are made of."""
