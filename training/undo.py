"""A model file (.rbt) back to safetensors, so that teaching can go on from it.

    python undo.py MODEL.rbt OUT.safetensors

8-bit weights come back as they were rounded. A file with an inference head gives its relation head from it: same and
entails from entailment, qualifies and unrelated from neutral.
"""

import json
import struct
import sys

import numpy as np
import torch
from safetensors.torch import save_file

PRELUDE = 32
RELATION_OF_NLI = [0, 0, 2, 1, 1]


def read(path):
    raw = open(path, "rb").read()
    _, _, header_bytes, _, _, _ = struct.unpack("<8sIIQII", raw[:PRELUDE])
    header = json.loads(raw[PRELUDE : PRELUDE + header_bytes])
    payload = raw[PRELUDE + header_bytes :]
    for name, entry in header["tensors"].items():
        count, shape = int(np.prod(entry["shape"])), entry["shape"]
        if entry["kind"] == "i8":
            scales = np.frombuffer(payload, "<f4", shape[0], entry["scales"])
            values = np.frombuffer(payload, np.int8, count, entry["offset"]).reshape(shape) * scales[:, None]
        else:
            values = np.frombuffer(payload, "<f4", count, entry["offset"]).reshape(shape)
        yield name, torch.from_numpy(np.array(values, dtype=np.float32))


def main():
    tensors = dict(read(sys.argv[1]))
    for part in ("weight", "bias"):
        if f"head.relation.{part}" not in tensors:
            tensors[f"head.relation.{part}"] = tensors[f"head.nli.{part}"][RELATION_OF_NLI].clone()
    known = ("head.stance.", "head.relation.", "head.change.", "head.acknowledged.", "head.support.")
    save_file({name: tensor for name, tensor in tensors.items() if not name.startswith("head.") or name.startswith(known)}, sys.argv[2])


if __name__ == "__main__":
    main()
