"""Programs that measure; run by hand, not collected by pytest."""
