"""Sheets to print and cut: where each card goes (``sheets``), its picture (``pictures``), the words (``rules``), the PDF."""
