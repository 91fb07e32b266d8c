"""How fast onnxruntime encodes the lines on standard input: f32 and dynamic int8 (per channel).

    python bench_onnx.py --model DIR < LINES

The same texts, forms and thread counts as the example `encode_speed` of crates/semantics, from
text to vector; batches are sorted by length so that onnxruntime pads as little as possible.
"""

import argparse
import json
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import onnxruntime as ort
import torch
import torch.nn.functional as F
from onnxruntime.quantization import QuantType, quantize_dynamic
from safetensors.torch import load_file
from tokenizers import Tokenizer

SECONDS = 1.5


class Bert(torch.nn.Module):
    def __init__(self, folder):
        super().__init__()
        self.config = json.loads((folder / "config.json").read_text())
        # Buffers, and transposed here and not in the graph: the quantiser wants constants.
        for name, tensor in load_file(folder / "model.safetensors").items():
            is_linear = name.startswith("encoder") and tensor.dim() == 2
            self.register_buffer(name.replace(".", "/"), tensor.T.contiguous() if is_linear else tensor)

    def tensor(self, name):
        return getattr(self, name.replace(".", "/"))

    def linear(self, x, name):
        return x @ self.tensor(name + ".weight") + self.tensor(name + ".bias")

    def norm(self, x, name):
        return F.layer_norm(x, (self.config["hidden_size"],), self.tensor(name + ".weight"), self.tensor(name + ".bias"), 1e-12)

    def forward(self, ids, mask, kinds):
        table = lambda name: self.tensor(f"embeddings.{name}_embeddings.weight")
        x = F.embedding(ids, table("word")) + F.embedding(kinds, table("token_type"))
        x = self.norm(x + table("position")[: ids.shape[1]], "embeddings.LayerNorm")
        bias = (1.0 - mask[:, None, None, :].float()) * -10000.0
        heads = self.config["num_attention_heads"]
        width = self.config["hidden_size"] // heads
        for layer in range(self.config["num_hidden_layers"]):
            at = f"encoder.layer.{layer}."
            split = lambda t: t.view(t.shape[0], t.shape[1], heads, width).transpose(1, 2)
            q, k, v = (split(self.linear(x, at + "attention.self." + part)) for part in ("query", "key", "value"))
            weights = torch.softmax(q @ k.transpose(-1, -2) / width**0.5 + bias, -1)
            y = (weights @ v).transpose(1, 2).reshape(x.shape)
            x = self.norm(self.linear(y, at + "attention.output.dense") + x, at + "attention.output.LayerNorm")
            y = F.gelu(self.linear(x, at + "intermediate.dense"))
            x = self.norm(self.linear(y, at + "output.dense") + x, at + "output.LayerNorm")
        mask = mask[:, :, None].float()
        return (x * mask).sum(1) / mask.sum(1)


def export(folder, out):
    example = tuple(torch.ones(2, 8, dtype=torch.long) for _ in range(3))
    names = ["ids", "mask", "kinds"]
    axes = {name: {0: "batch", 1: "length"} for name in names} | {"vector": {0: "batch"}}
    torch.onnx.export(Bert(folder), example, out / "f32.onnx", input_names=names, output_names=["vector"],
                      dynamic_axes=axes, opset_version=17, dynamo=False)
    quantize_dynamic(out / "f32.onnx", out / "int8.onnx", weight_type=QuantType.QInt8, per_channel=True,
                     reduce_range=True)
    return {"f32": out / "f32.onnx", "int8": out / "int8.onnx"}


def session(path, threads):
    options = ort.SessionOptions()
    options.intra_op_num_threads = threads
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_ENABLE_ALL
    return ort.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def encode(running, tokenizer, texts):
    encoded = tokenizer.encode_batch(texts)
    length = max(len(one.ids) for one in encoded)
    feeds = {name: np.zeros((len(texts), length), np.int64) for name in ("ids", "mask", "kinds")}
    for row, one in enumerate(encoded):
        feeds["ids"][row, : len(one.ids)] = one.ids
        feeds["mask"][row, : len(one.ids)] = 1
        feeds["kinds"][row, : len(one.ids)] = one.type_ids
    return running.run(None, feeds)[0]


def speed(running, tokenizer, texts, batch):
    texts = sorted(texts, key=lambda text: sum(map(len, text)) if isinstance(text, tuple) else len(text))
    start, cpu, done = time.perf_counter(), time.process_time(), 0
    while True:
        for at in range(0, len(texts), batch):
            done += len(encode(running, tokenizer, texts[at : at + batch]))
            if time.perf_counter() - start > SECONDS:
                return done / (time.perf_counter() - start), done / (time.process_time() - cpu)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", required=True, type=Path)
    parser.add_argument("--onnx", type=Path, help="where exports are kept; a temporary folder otherwise")
    parser.add_argument("--form", choices=["f32", "int8"], help="only this")
    parser.add_argument("--threads", type=int, nargs="*", default=[1, 2])
    arguments = parser.parse_args()
    kept = arguments.onnx or Path(tempfile.mkdtemp())
    files = {"f32": kept / "f32.onnx", "int8": kept / "int8.onnx"}
    if not all(file.exists() for file in files.values()):
        files = export(arguments.model, kept)
    tokenizer = Tokenizer.from_file(str(arguments.model / "tokenizer.json"))
    tokenizer.no_padding()
    lines = sys.stdin.read().splitlines()
    pairs = [(line, lines[0]) for line in lines]
    for form, file in files.items():
        if arguments.form not in (None, form):
            continue
        for threads in arguments.threads:
            running = session(file, threads)
            for batch in (1, 8, 32):
                found = [speed(running, tokenizer, texts, batch) for texts in (lines, pairs)]
                print(f"{form}, {threads} threads, batch {batch}: {found[0][0]:.0f} sentences/s, {found[1][0]:.0f} pairs/s; "
                      f"a CPU-second: {found[0][1]:.0f} and {found[1][1]:.0f}", flush=True)


if __name__ == "__main__":
    main()
