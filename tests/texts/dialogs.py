"""Texts of dialogs that several tests wait for."""

from typing import Final

CLOSE: Final = "esc close"
EMPTY_PROJECT_NAME: Final = "Enter a project name"
FILE_EXISTS: Final = "File exists"
INPUT_SAVED: Final = "Input saved"
NEW_PROJECT: Final = "New project"
NEW_TOKEN: Final = "New token for test"
NO_ARCHIVE: Final = "No archive to download"
NO_FILE_NAME: Final = "Enter a file name"
NO_MATCHES: Final = "No matches"
NOTE_KEYS: Final = "other field"
PALETTE: Final = "Commands"
SAVE_ARCHIVE: Final = "Save the archive as"
WATCH_LIST: Final = "Projects on the triage board"
