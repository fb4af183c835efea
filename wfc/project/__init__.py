"""Configuration, discovery of files, and which names are in reach (reference 1.1, 4.2)."""

from wfc.project.find import TEST_SUFFIXES, WORKFLOW_SUFFIXES, Project, files_under, find_project
from wfc.project.reach import reach
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
    "TEST_SUFFIXES",
    "WORKFLOW_SUFFIXES",
    "CheckSettings",
    "ConfigFault",
    "McpSettings",
    "Project",
    "PythonSettings",
    "Settings",
    "SourceSettings",
    "ToolSettings",
    "files_under",
    "find_project",
    "reach",
    "resolve_references",
]
