"""Sheets to print and cut: where cards go (``sheets``), their ``pictures``, the words (``rules``), the ``document``."""
