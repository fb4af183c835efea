"""Configuration, discovery of files, and which names are in reach (reference 1.1, 4.2).

A name's file is imported when the name is first asked for: a run of a compiled file needs no lock.
"""

from typing import TYPE_CHECKING

from wfc.doors import lazily

if TYPE_CHECKING:
    from wfc.project.catalogue import allowed_names, catalogue_of, catalogue_of_example, contract_of
    from wfc.project.clients import entry_of_file
    from wfc.project.find import (
        DATA_FOLDER,
        TEST_SUFFIXES,
        WORKFLOW_SUFFIXES,
        Found,
        Project,
        configuration_files,
        configured,
        files_under,
        find_configuration,
        find_project,
    )
    from wfc.project.lock import (
        LOCK_NAME,
        Lock,
        LockedSource,
        listing_of,
        lock_bytes,
        lock_file,
        lock_of,
        lock_text,
        read_lock,
        write_lock,
    )
    from wfc.project.reaching import Seen, Shelf, content_of, digest, reach
    from wfc.project.secrets import Resolved, referenced, resolve_references, resolved
    from wfc.project.settings import (
        CREDENTIAL_HEADERS,
        CheckSettings,
        ConfigFault,
        McpSettings,
        OAuthSettings,
        PythonSettings,
        Settings,
        SourceSettings,
        ToolSettings,
        WorkflowSettings,
    )

__all__ = [
    "CREDENTIAL_HEADERS",
    "DATA_FOLDER",
    "LOCK_NAME",
    "TEST_SUFFIXES",
    "WORKFLOW_SUFFIXES",
    "CheckSettings",
    "ConfigFault",
    "Found",
    "Lock",
    "LockedSource",
    "McpSettings",
    "OAuthSettings",
    "Project",
    "PythonSettings",
    "Resolved",
    "Seen",
    "Settings",
    "Shelf",
    "SourceSettings",
    "ToolSettings",
    "WorkflowSettings",
    "allowed_names",
    "catalogue_of",
    "catalogue_of_example",
    "configuration_files",
    "configured",
    "content_of",
    "contract_of",
    "digest",
    "entry_of_file",
    "files_under",
    "find_configuration",
    "find_project",
    "listing_of",
    "lock_bytes",
    "lock_file",
    "lock_of",
    "lock_text",
    "reach",
    "read_lock",
    "referenced",
    "resolve_references",
    "resolved",
    "write_lock",
]

__getattr__ = lazily(
    "wfc.project",
    {
        "catalogue": (
            "allowed_names",
            "catalogue_of",
            "catalogue_of_example",
            "contract_of",
        ),
        "clients": ("entry_of_file",),
        "find": (
            "DATA_FOLDER",
            "TEST_SUFFIXES",
            "WORKFLOW_SUFFIXES",
            "Found",
            "Project",
            "configured",
            "files_under",
            "configuration_files",
            "find_configuration",
            "find_project",
        ),
        "lock": (
            "LOCK_NAME",
            "Lock",
            "LockedSource",
            "listing_of",
            "lock_bytes",
            "lock_file",
            "lock_of",
            "lock_text",
            "read_lock",
            "write_lock",
        ),
        "reaching": (
            "Seen",
            "Shelf",
            "content_of",
            "digest",
            "reach",
        ),
        "secrets": (
            "Resolved",
            "referenced",
            "resolve_references",
            "resolved",
        ),
        "settings": (
            "CREDENTIAL_HEADERS",
            "CheckSettings",
            "ConfigFault",
            "McpSettings",
            "OAuthSettings",
            "PythonSettings",
            "Settings",
            "SourceSettings",
            "ToolSettings",
            "WorkflowSettings",
        ),
    },
)
