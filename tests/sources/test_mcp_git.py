"""The published `mcp-server-git`: a real server that answers prose, typed by adapters."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.sources.calling import called
from wfc.backends.sources import McpServer, ToolShape
from wfc.ir import Completed, NodeResult

COMMAND = shutil.which("mcp-server-git", path=str(Path(sys.executable).parent))

COMMITS = ToolShape(
    adapt=(
        {"error-when": "^Error", "type": "GitError"},
        {
            "regex": r"Commit: '?(?P<id>[0-9a-f]{40})'?\nAuthor: .*\nDate: .*\nMessage: '?(?P<title>[^\n']+)",
            "all": True,
        },
    ),
    output={
        "type": "object",
        "properties": {
            "matches": {
                "type": "array",
                "items": {"type": "object", "properties": {"id": {"type": "string"}, "title": {"type": "string"}}},
            }
        },
        "required": ["matches"],
    },
)


@pytest.fixture
def repository(tmp_path):
    def git(*words):
        done = subprocess.run(["git", "-C", str(tmp_path), *words], check=True, capture_output=True, text=True)
        return done.stdout.strip()

    git("init", "-q")
    ids = []
    for title in ("feat: one", "fix: two"):
        git("-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-q", "--allow-empty", "-m", title)
        ids.append(git("rev-parse", "HEAD"))
    return tmp_path, ids


def test_prose_becomes_typed(repository):
    folder, ids = repository
    assert COMMAND is not None
    server = McpServer("git", COMMAND, ("--repository", str(folder)), tools={"git_log": COMMITS})
    log, plain, missing = called(
        server,
        ("git_log", {"repo_path": str(folder), "max_count": 5}),
        ("git_branch", {"repo_path": str(folder), "branch_type": "local"}),
        ("git_show", {"repo_path": str(folder), "revision": "nowhere"}),
    )
    commits = [{"id": ids[1], "title": "fix: two"}, {"id": ids[0], "title": "feat: one"}]
    assert log == Completed("call-1", NodeResult("ok", {"matches": commits}))
    assert list(plain.result.output) == ["text"]
    assert missing.code == "node_failed"
    assert missing.message.startswith("source `git`: tool `git_show`: ")
    assert "nowhere" in missing.message
