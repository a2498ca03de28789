"""A function from Diagnosis to text each; markup and style live here alone."""
