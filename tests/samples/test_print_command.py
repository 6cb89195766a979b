"""The command as users run it: a file, or a sentence that says what to do."""

import shutil
from dataclasses import replace
from pathlib import Path

import pypdfium2 as pdfium  # type: ignore[import-untyped]
import pytest

from samples.art.decks import BUILTIN, STYLED, write_deck
from samples.art.faces import BACK
from samples.cli import main
from samples.printing.pictures import BLEED_MM, PX_PER_MM, builtin_pictures


@pytest.fixture(scope="module")
def few_cards(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A deck folder of two faces in another style."""
    folder = tmp_path_factory.mktemp("few")
    deck = STYLED["cat-and-mouse"]["frost"]()
    write_deck(replace(deck, faces=(deck.faces[3], deck.faces[-1])), folder)
    return folder


def test_a_deck_folder_is_printed(few_cards: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "cards.pdf"
    arguments = ["print", "--game", "cat-and-mouse", "--deck", str(few_cards), "--paper", "letter", "--lang", "en"]
    assert main([*arguments, "--out", str(out)]) == 0
    # 5 + 4 cards on one sheet, its back, and the rules.
    assert len(pdfium.PdfDocument(out)) == 3
    assert "3 pages" in capsys.readouterr().out


def test_another_games_deck_is_refused(few_cards: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "cards.pdf"
    assert main(["print", "--game", "if-it-fits", "--deck", str(few_cards), "--out", str(out)]) == 2
    assert "the deck is for cat-and-mouse, not for if-it-fits; change --game." in capsys.readouterr().err
    assert not out.exists()


def test_a_missing_deck_and_a_place_that_cannot_be_written_are_named(
    few_cards: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    nowhere = tmp_path / "nowhere"
    arguments = ["print", "--game", "cat-and-mouse", "--out", str(nowhere / "cards.pdf"), "--deck"]
    assert main([*arguments, str(nowhere)]) == 2
    assert "nowhere" in capsys.readouterr().err
    assert main([*arguments, str(few_cards)]) == 2
    assert "nowhere: there is no such folder; make it, or choose another place" in capsys.readouterr().err
    arguments = ["print", "--game", "cat-and-mouse", "--deck", str(few_cards), "--out", str(tmp_path)]
    assert main(arguments) == 2
    assert "Is a directory; choose another place to write to." in capsys.readouterr().err


def test_a_broken_picture_is_named(few_cards: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "broken"
    shutil.copytree(few_cards, folder)
    (folder / "faces" / "finish.png").write_bytes(b"not a picture")
    arguments = ["print", "--game", "cat-and-mouse", "--deck", str(folder), "--out", str(tmp_path / "cards.pdf")]
    assert main(arguments) == 2
    assert "finish.png: the picture cannot be read; save it again as PNG or JPEG." in capsys.readouterr().err


def test_a_deck_without_pictures_cannot_be_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    face = '{"id": "up", "kind": "move", "arrows": ["up"], "points": 1, "count": 1}'
    (tmp_path / "deck.json").write_text(
        f'{{"game": "cat-and-mouse", "name": "bare", "card_mm": [64, 64], "corner_mm": 4, "faces": [{face}]}}',
        encoding="utf-8",
    )
    arguments = ["print", "--game", "cat-and-mouse", "--deck", str(tmp_path), "--out", str(tmp_path / "cards.pdf")]
    assert main(arguments) == 2
    assert 'face "up" has no image' in capsys.readouterr().err


def test_printed_pictures_have_square_corners_and_bleed() -> None:
    pictures = builtin_pictures("cat-and-mouse")
    picture = pictures(BACK).convert("RGB")
    side = round((64 + 2 * BLEED_MM) * PX_PER_MM)
    assert picture.size == (side, side)
    ground = (0x1D, 0x3F, 0x78)
    for corner in ((0, 0), (side - 1, 0), (0, side - 1), (side - 1, side - 1)):
        assert max(abs(a - b) for a, b in zip(picture.getpixel(corner), ground, strict=True)) < 24  # type: ignore[arg-type]


def test_styles_are_listed_and_unknown_ones_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["decks", "--list"]) == 0
    listed = capsys.readouterr().out
    for game in BUILTIN:
        assert f"{game}: {', '.join(STYLED[game])}" in listed
    assert main(["decks", "--game", "cat-and-mouse", "--style", "baroque", "--out", str(tmp_path)]) == 2
    assert 'there is no style "baroque" for cat-and-mouse; use one of: frost,' in capsys.readouterr().err
    assert main(["decks", "--style", "frost"]) == 2
    assert "add --out DIR" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["decks", "print", "render"])
def test_every_command_explains_itself(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main([command, "--help"])
    assert stopped.value.code == 0
    assert "--out" in capsys.readouterr().out
