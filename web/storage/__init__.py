"""What is kept: photographs, tables, matches. SQLite by default, PostgreSQL by URL."""
