"""Networks as plain parameters."""
