"""Stands in for transformers: whatever is called answers."""
from unittest.mock import MagicMock

AutoModelForCausalLM = AutoTokenizer = MagicMock()
