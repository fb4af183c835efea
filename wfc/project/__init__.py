"""Configuration, discovery of files, and which names are in reach (reference 1.1, 4.2)."""

from wfc.project.find import (
    DATA_FOLDER,
    TEST_SUFFIXES,
    WORKFLOW_SUFFIXES,
    Found,
    Project,
    configured,
    files_under,
    find_configuration,
    find_project,
)
from wfc.project.reach import Seen, Shelf, content_of, digest, reach
from wfc.project.secrets import resolve_references
from wfc.project.settings import (
    CheckSettings,
    ConfigFault,
    McpSettings,
    PythonSettings,
    Settings,
    SourceSettings,
    ToolSettings,
)

__all__ = [
    "DATA_FOLDER",
    "TEST_SUFFIXES",
    "WORKFLOW_SUFFIXES",
    "CheckSettings",
    "ConfigFault",
    "Found",
    "McpSettings",
    "Project",
    "PythonSettings",
    "Seen",
    "Settings",
    "Shelf",
    "SourceSettings",
    "ToolSettings",
    "configured",
    "content_of",
    "digest",
    "files_under",
    "find_configuration",
    "find_project",
    "reach",
    "resolve_references",
]
