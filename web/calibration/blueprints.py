"""The pages and the API for people's own cards and cameras, registered."""

from flask import Flask

from web.calibration import api_cameras, api_decks, api_drafts, pages
from web.calibration.drafts import Drafts
from web.calibration.measuring import Measurings
from web.calibration.work import Enroller
from web.gate import ReadingGate
from web.settings import Settings
from web.storage.database import Database


def install(app: Flask, settings: Settings, database: Database, gate: ReadingGate) -> None:
    """Register the pages and the API."""
    drafts = Drafts(settings.data / "drafts")
    app.extensions.update(
        referee_drafts=drafts,
        referee_enroller=Enroller(database, drafts, gate),
        referee_measurings=Measurings(settings.data / "measurings"),
    )
    for area in (api_drafts, api_decks, api_cameras, pages):
        app.register_blueprint(area.blueprint)
