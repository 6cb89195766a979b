"""Alembic's scripts. A new one, after a change of the models::

python -m web.storage.migrations "what changes"
"""
