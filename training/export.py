"""Writes a model file (.rbt) from BERT weights. Its layout stands in crates/semantics/src/weights/rbt.rs.

    python export.py --model DIR_OR_CHECKPOINT --out FILE --name NAME --pooling mean|cls

A checkpoint is a .safetensors file (or a torch state dict); vocab.txt and config.json are taken
from its folder unless --vocab and --config say otherwise. Weights of linear layers, words and
positions become 8-bit numbers with one scale a row; everything else stays 32-bit floats.
"""

import argparse
import json
import struct
import zlib
from pathlib import Path

import numpy as np

ALIGNMENT = 64
WEIGHTS_MAX = 127  # symmetric: -128 is never written


def read_tensors(path):
    if path.suffix == ".safetensors":
        tensors = read_safetensors(path)
    else:
        import torch

        state = torch.load(path, map_location="cpu", weights_only=True)
        tensors = {name: tensor.float().numpy() for name, tensor in state.items()}
    return {name.removeprefix("bert."): tensor for name, tensor in tensors.items()}


def read_safetensors(path):
    """Read by hand: numpy has no bfloat16, so the safetensors package refuses such files."""
    data = path.read_bytes()
    (length,) = struct.unpack_from("<Q", data)
    table = json.loads(data[8 : 8 + length])
    table.pop("__metadata__", None)
    tensors = {}
    for name, entry in table.items():
        start, end = (8 + length + at for at in entry["data_offsets"])
        raw, kind = data[start:end], entry["dtype"]
        if kind == "BF16":
            values = (np.frombuffer(raw, "<u2").astype("<u4") << 16).view("<f4")
        elif kind in ("F32", "F16"):
            values = np.frombuffer(raw, {"F32": "<f4", "F16": "<f2"}[kind]).astype("<f4")
        else:
            continue  # position ids and the like
        tensors[name] = values.reshape(entry["shape"])
    return tensors


def quantise(matrix):
    """Each row by its own largest number."""
    matrix = matrix.astype(np.float64)
    scales = (np.abs(matrix).max(axis=1) / WEIGHTS_MAX).astype("<f4")
    safe = np.where(scales > 0, scales, 1).astype(np.float64)
    values = np.clip(np.rint(matrix / safe[:, None]), -WEIGHTS_MAX, WEIGHTS_MAX)
    return values.astype(np.int8), scales


class Payload:
    def __init__(self):
        self.parts, self.length = [], 0

    def add(self, raw):
        offset = self.length
        raw += b"\0" * (-len(raw) % ALIGNMENT)
        self.parts.append(raw)
        self.length += len(raw)
        return offset


def is_quantised(name):
    linear = name.startswith("encoder.layer.") and name.endswith(".weight")
    tables = ("embeddings.word_embeddings.weight", "embeddings.position_embeddings.weight")
    return name in tables or (linear and "LayerNorm" not in name)


def is_kept(name, has_heads):
    if name.startswith("pooler."):
        return has_heads  # otherwise left over from pre-training
    return name.startswith(("embeddings.", "encoder.layer.", "head.")) and not name.endswith("position_ids")


def table_of(tensors, payload):
    has_heads = any(name.startswith("head.") for name in tensors)
    table = {}
    for name in sorted(tensors):
        if not is_kept(name, has_heads):
            continue
        tensor = tensors[name]
        if not np.isfinite(tensor).all():
            raise SystemExit(f"{name} holds numbers that are not finite")
        entry = {"kind": "f32", "shape": list(tensor.shape)}
        if is_quantised(name):
            values, scales = quantise(tensor)
            entry |= {"kind": "i8", "offset": payload.add(values.tobytes()), "scales": payload.add(scales.tobytes())}
        else:
            entry["offset"] = payload.add(tensor.astype("<f4").tobytes())
        table[name] = entry
    return table


def sizes_of(config, tensors, arguments):
    found = {"model_type": config.get("model_type"), "hidden_act": config.get("hidden_act", "gelu")}
    if found != {"model_type": "bert", "hidden_act": "gelu"}:
        raise SystemExit(f"only BERT with GELU can be exported, not {found}")
    words, hidden = tensors["embeddings.word_embeddings.weight"].shape
    return {
        "vocab": words,
        "positions": tensors["embeddings.position_embeddings.weight"].shape[0],
        "types": tensors["embeddings.token_type_embeddings.weight"].shape[0],
        "hidden": hidden,
        "layers": 1 + max(int(name.split(".")[2]) for name in tensors if name.startswith("encoder.layer.")),
        "heads": config["num_attention_heads"],
        "intermediate": tensors["encoder.layer.0.intermediate.dense.weight"].shape[0],
        "epsilon": config.get("layer_norm_eps", 1e-12),
        "pooling": arguments.pooling,
        "lowercase": not arguments.cased,
    }


def write(path, header, payload):
    header = json.dumps(header, separators=(",", ":"), sort_keys=True).encode()
    header += b" " * (-(len(header) + 32) % ALIGNMENT)
    body = b"".join(payload.parts)
    prelude = struct.pack(
        "<8sIIQII", b"REBUTTAL", 1, len(header), len(body), zlib.crc32(header), zlib.crc32(body)
    )
    path.write_bytes(prelude + header + body)
    return len(prelude) + len(header) + len(body)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", required=True, type=Path, help="folder or checkpoint")
    parser.add_argument("--out", required=True, type=Path)
    parser.add_argument("--name", required=True)
    parser.add_argument("--pooling", required=True, choices=["mean", "cls"])
    parser.add_argument("--vocab", type=Path)
    parser.add_argument("--config", type=Path)
    parser.add_argument("--cased", action="store_true", help="the vocabulary is not in lower case")
    arguments = parser.parse_args()

    model = arguments.model
    checkpoint = model / "model.safetensors" if model.is_dir() else model
    folder = checkpoint.parent
    tensors = read_tensors(checkpoint)
    config = json.loads((arguments.config or folder / "config.json").read_text())
    vocab = (arguments.vocab or folder / "vocab.txt").read_text(encoding="utf-8").rstrip("\n").encode()

    sizes = sizes_of(config, tensors, arguments)
    words = vocab.count(b"\n") + 1
    if words != sizes["vocab"]:
        raise SystemExit(f"the vocabulary has {words} words, not {sizes['vocab']}")
    payload = Payload()
    header = {"name": arguments.name, "config": sizes, "tensors": table_of(tensors, payload)}
    header["vocab"] = {"offset": payload.add(vocab), "bytes": len(vocab)}
    written = write(arguments.out, header, payload)
    heads = [name for name in tensors if name.startswith("head.") and name.endswith(".weight")]
    print(f"{arguments.out}: {written:,} bytes, {len(header['tensors'])} tensors, heads: {heads or 'none'}")


if __name__ == "__main__":
    main()
