"""Loads a small language model with vLLM, and lets it answer."""
from vllm import LLM, SamplingParams

model = LLM(model="TinyLlama/TinyLlama-1.1B-Chat-v1.0", max_model_len=1024)
prompts = ["The capital of France is", "GPUs are fast because", "Once upon a time"]
for prompt, answer in zip(prompts, model.generate(prompts, SamplingParams(max_tokens=32))):
    print(f"{prompt} ...{answer.outputs[0].text}")
