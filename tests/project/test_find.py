"""Which configuration holds, where `.wfc/` stands, and which files a path means."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from wfc.project import ConfigFault, McpSettings, Settings, files_under, find_project, resolve_references


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "project" / "flows").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "project")


def write(name: str, text: str) -> None:
    Path(name).parent.mkdir(parents=True, exist_ok=True)
    Path(name).write_text(text)


def test_without_a_configuration_the_defaults_hold_and_the_store_is_here() -> None:
    project = find_project("flows/a.wf.json")
    assert (project.settings, project.file, project.store) == (Settings(), None, ".wfc/wfc.db")


def test_the_configuration_is_found_by_walking_up_from_the_file() -> None:
    write("wfc.toml", "step_limit = 7")
    project = find_project("flows/deep/a.wf.json")
    assert (str(project.file), project.settings.step_limit, project.store) == ("wfc.toml", 7, ".wfc/wfc.db")


def test_a_folder_in_its_place_is_no_configuration() -> None:
    Path("flows/wfc.toml").mkdir()
    with pytest.raises(ConfigFault, match=r"^flows/wfc.toml is a folder; expected the configuration, as TOML$"):
        find_project("flows/a.wf.json")


def test_a_link_that_leads_nowhere_is_no_word_for_no_configuration() -> None:
    write("wfc.toml", "step_limit = 7")
    Path("flows/wfc.toml").symlink_to("away.toml")
    with pytest.raises(ConfigFault, match=r"^flows/wfc.toml is a link to no file; expected the configuration"):
        find_project("flows/a.wf.json")


def test_the_store_stands_beside_the_configuration_that_was_found() -> None:
    write("flows/wfc.toml", "")
    assert find_project("flows/a.wf.json").store == "flows/.wfc/wfc.db"


def test_a_store_in_the_configuration_is_relative_to_it_unless_it_is_an_address() -> None:
    write("flows/wfc.toml", 'store = "runs.db"')
    assert find_project("flows/a.wf.json").store == "flows/runs.db"
    write("flows/wfc.toml", 'store = "postgresql://db/runs"')
    assert find_project("flows/a.wf.json").store == "postgresql://db/runs"


def test_a_pyproject_counts_when_it_has_the_table_and_wfc_toml_comes_first() -> None:
    write("pyproject.toml", "[tool.wfc]\nstep_limit = 3")
    assert find_project("a.wf.json").settings.step_limit == 3
    write("flows/pyproject.toml", "[tool.other]\nname = 'wfc'")
    assert find_project("flows/a.wf.json").settings.step_limit == 3
    write("wfc.toml", "step_limit = 4")
    assert find_project("flows/a.wf.json").settings.step_limit == 4


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("step_limit = ", r"wfc.toml cannot be read as TOML: Invalid value \(at end of document\)"),
        (f"step_limit = {'[' * 5_000}", "wfc.toml cannot be read as TOML: "),
        (f"step_limit = {'1' * 5_000}", "wfc.toml cannot be read as TOML: "),
        ("step_limit = 0", "wfc.toml: `step_limit` is 0; expected 1 or more"),
        ("librarys = []", "wfc.toml: `librarys` is no key here; nearest: `libraries`"),
        ('libraries = "lib"', 'wfc.toml: `libraries` is "lib"; expected an array'),
        ("check = 1", r"wfc.toml: `check` is no table; expected `\[check\]`"),
        ('[check]\nfail_level = "note"', r"wfc.toml, `\[check\]`: `fail_level` is no key here; nearest: `fail-level`"),
        ('[sources."a.b"]\nkind = "mcp"', "the source name `a.b` has a dot"),
        ("[sources.a]", "a key is missing: `kind`; expected one of `mcp`, `python`"),
        ('[sources.a]\nkind = "pyton"', '`kind` is "pyton"; expected one of `mcp`, `python`'),
        ('[sources.a]\nkind = "python"', r"`\[sources.a\]`: a key is missing: `module`"),
        ('[sources.a]\nkind = "mcp"', "none of them is given; expected exactly one of `command`"),
        (
            '[sources.a]\nkind = "mcp"\ncommand = "c"\ntimeout_seconds = nan',
            "`timeout_seconds` is nan; expected a number",
        ),
        ('[sources.a]\nkind = "mcp"\ncommand = "c"\nefects = {}', "nearest: `effects`"),
        ('[sources.a]\nkind = "mcp"\ncommand = "c"\nenv = "secret"', "`env` is of another kind; expected a table"),
        (
            '[sources.a]\nkind = "mcp"\ncommand = "c"\n[sources.a.tools.t]\nadapt = "jsn"',
            '`adapt` has "jsn"; expected one of',
        ),
        (
            '[sources.a]\nkind = "mcp"\ncommand = "c"\n[sources.a.tools.t]\nadapt = {regex = "x", al = true}',
            "`al` is no key here; nearest: `all`",
        ),
    ],
)
def test_a_configuration_that_cannot_be_used_is_one_sentence(text: str, sentence: str) -> None:
    write("wfc.toml", text)
    with pytest.raises(ConfigFault, match=sentence):
        find_project("a.wf.json")


def test_a_source_with_everything() -> None:
    write(
        "wfc.toml",
        """
        [sources.git]
        kind = "mcp"
        command = "mcp-server-git"
        args = ["--repository", "."]
        env = {TOKEN = "${GIT_TOKEN}"}
        timeout_seconds = 5
        deny = ["git_reset"]
        effects = {git_log = "read"}
        [sources.git.tools.git_log]
        output = {type = "object"}
        adapt = ["text", {regex = "(?P<sha>[0-9a-f]+)", all = true}]
        rename = {If-Match = "if_match"}
        """,
    )
    source = find_project("a.wf.json").settings.sources["git"]
    assert isinstance(source, McpSettings)
    assert (source.args, source.env, source.timeout_seconds) == (("--repository", "."), {"TOKEN": "${GIT_TOKEN}"}, 5)
    tool = source.tools["git_log"]
    assert tool.adapt == ("text", {"regex": "(?P<sha>[0-9a-f]+)", "all": True})
    assert (tool.output, tool.rename) == ({"type": "object"}, {"If-Match": "if_match"})


def test_a_reference_is_resolved_at_use_and_a_missing_one_is_named() -> None:
    assert resolve_references("Bearer ${A}-${B}", {"A": "1", "B": "2"}) == "Bearer 1-2"
    with pytest.raises(ConfigFault, match=r"refers to `\$\{A\}`, which is not set in the environment"):
        resolve_references("${A}", {})


def test_a_library_folder_that_is_not_there_is_named() -> None:
    write("wfc.toml", 'libraries = ["flows", "lib"]')
    with pytest.raises(ConfigFault, match="`libraries` names `lib`, which is no folder beside this file"):
        assert find_project().libraries


def test_a_path_means_itself_a_folder_its_files_and_each_file_once() -> None:
    for name in ("flows/b.wf.json", "flows/a.wf.json", "flows/sub/c.wf.json", "flows/.git/d.wf.json", "flows/e.json"):
        write(name, "{}")
    found = list(files_under(["flows/sub/c.wf.json", "flows", "missing.wf.json"], (".wf.json",)))
    assert found == ["flows/sub/c.wf.json", "flows/a.wf.json", "flows/b.wf.json", "missing.wf.json"]


def test_a_pipe_in_a_folder_is_not_waited_for() -> None:
    write("flows/b.wf.json", "{}")
    os.mkfifo("flows/a.wf.json")
    assert list(files_under(["flows"], (".wf.json",))) == ["flows/b.wf.json"]
    assert list(files_under(["flows/a.wf.json"], (".wf.json",))) == ["flows/a.wf.json"]


def test_a_configuration_may_begin_with_a_byte_order_mark_and_have_windows_lines() -> None:
    Path("wfc.toml").write_bytes(b"\xef\xbb\xbf# here\r\nstep_limit = 7\r\n")
    assert find_project().settings.step_limit == 7
