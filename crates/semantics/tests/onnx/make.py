"""Writes the two tiny models beside this file, for the tests of `src/onnx.rs`.

Needs the package `onnx`. A token's vector stands in a table, so what a model must give can be said
by hand: see `vocab.txt` for the order of the rows.
"""

from pathlib import Path

import numpy as np
from onnx import TensorProto, checker, helper, numpy_helper, save

HERE = Path(__file__).parent
IDS, FLOAT = TensorProto.INT64, TensorProto.FLOAT
INPUTS = [
    helper.make_tensor_value_info(name, IDS, ["batch", "tokens"])
    for name in ("input_ids", "attention_mask", "token_type_ids")
]


def write(name, nodes, tables, output):
    """Checks and saves a model with the three usual inputs."""
    initial = [numpy_helper.from_array(np.array(table), key) for key, table in tables.items()]
    graph = helper.make_graph(nodes, name, INPUTS, [output], initial)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    checker.check_model(model)
    (HERE / name).mkdir(exist_ok=True)
    save(model, HERE / name / "model.onnx")


# [PAD] [UNK] [CLS] [SEP] good bad ##ly not
vectors = np.array(
    [[0, 0], [0, 0], [0, 0], [0, 0], [4, 0], [0, 4], [2, 2], [-4, 4]], dtype=np.float32
)
write(
    "embedder",
    [
        helper.make_node("Gather", ["vectors", "input_ids"], ["found"], axis=0),
        # The mask counts, as in a real model: what is masked has no vector.
        helper.make_node("Cast", ["attention_mask"], ["mask"], to=FLOAT),
        helper.make_node("Unsqueeze", ["mask", "last"], ["mask_column"]),
        helper.make_node("Mul", ["found", "mask_column"], ["last_hidden_state"]),
    ],
    {"vectors": vectors, "last": np.array([-1], dtype=np.int64)},
    helper.make_tensor_value_info("last_hidden_state", FLOAT, ["batch", "tokens", 2]),
)

# Each token votes for (contradiction, entailment, neutral); "not" in the second text contradicts.
votes = np.array(
    [[0, 0, 0], [0, 0, 1], [0, 0, 0], [0, 0, 0], [0, 2, 0], [0, 2, 0], [0, 0, 0], [0, 0, 0]],
    dtype=np.float32,
)
second = np.zeros((8, 3), dtype=np.float32)
second[7] = [9, 0, 0]
write(
    "inference",
    [
        helper.make_node("Gather", ["votes", "input_ids"], ["found"], axis=0),
        helper.make_node("Gather", ["second", "input_ids"], ["against"], axis=0),
        helper.make_node("Cast", ["token_type_ids"], ["types"], to=FLOAT),
        helper.make_node("Unsqueeze", ["types", "last"], ["types_column"]),
        helper.make_node("Mul", ["against", "types_column"], ["counted"]),
        helper.make_node("Add", ["found", "counted"], ["all"]),
        helper.make_node("ReduceMax", ["all"], ["logits"], axes=[1], keepdims=0),
    ],
    {"votes": votes, "second": second, "last": np.array([-1], dtype=np.int64)},
    helper.make_tensor_value_info("logits", FLOAT, ["batch", 3]),
)
