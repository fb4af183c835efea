"""What a text costs a language model, in tokens of `o200k_base`, against the same workflow as JSON on many lines."""

from __future__ import annotations

import json

import bpe_openai

from tests.frontend.text.corpus import workflows
from wfc.frontend import text_of


def test_a_text_costs_at_most_a_seventh_of_pretty_json() -> None:
    encoding = bpe_openai.get_encoding("o200k_base")
    pretty = sum(len(encoding.encode(json.dumps(value, indent=2))) for _, value in workflows())
    text = sum(len(encoding.encode(text_of(value))) for _, value in workflows())
    assert pretty / text >= 7
