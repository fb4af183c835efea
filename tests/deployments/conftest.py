"""A project with two Python sources that say a text loudly or quietly, and the commands in it."""

from tests.cli.conftest import here as here
from tests.cli.conftest import wfc as wfc
from tests.cli.test_artifacts import project as project
from tests.stores.conftest import address as address
from tests.stores.conftest import postgres as postgres
from tests.stores.conftest import quick as quick
from tests.stores.conftest import server as server
