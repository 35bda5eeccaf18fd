"""Re-measure, and play with, what is published on how neural networks train."""
