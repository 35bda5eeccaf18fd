"""Training data of the studies: small targets and data sets that ship with a package."""
