"""Embedding principle of the loss landscape (Zhang, Zhang, Luo, Xu, NeurIPS 2021; JML 1(1), 2022)."""

from condensation_lab.studies._embedding_principle.experiment import NAME, PAPER, TITLE, Settings, run

__all__ = ["NAME", "PAPER", "TITLE", "Settings", "run"]
