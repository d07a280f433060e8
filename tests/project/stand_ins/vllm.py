"""Stands in for vLLM: keeps a file where that keeps its caches, and answers."""
import os
from types import SimpleNamespace

import torch  # noqa: F401


class SamplingParams:
    def __init__(self, max_tokens):
        pass


class LLM:
    def __init__(self, model, max_model_len):
        for cache in ("HF_HOME", "VLLM_CACHE_ROOT", "TRITON_CACHE_DIR", "TORCH_HOME"):
            assert not os.environ[cache].startswith(os.path.expanduser("~/.cache")), (cache, os.environ[cache])
            os.makedirs(os.environ[cache], exist_ok=True)
        with open(os.environ["VLLM_CACHE_ROOT"] + "/compiled", "w") as file:
            file.write(model)

    def generate(self, prompts, _params):
        return [SimpleNamespace(outputs=[SimpleNamespace(text=" an answer")]) for _ in prompts]
