"""The encoder in plain PyTorch, with the tensor names its base package uses."""

import json
import os

import torch
import torch.nn as nn
import torch.nn.functional as F
from safetensors.torch import load_file


class Layer(nn.Module):
    def __init__(self, hidden, heads, inner, drop):
        super().__init__()
        self.heads, self.drop = heads, drop
        self.qkv = nn.ModuleDict({name: nn.Linear(hidden, hidden) for name in ("query", "key", "value")})
        self.attended, self.up, self.down = nn.Linear(hidden, hidden), nn.Linear(hidden, inner), nn.Linear(inner, hidden)
        self.norm1, self.norm2 = nn.LayerNorm(hidden, eps=1e-12), nn.LayerNorm(hidden, eps=1e-12)

    def forward(self, x, mask):
        batch, length, hidden = x.shape

        def split(name):
            return self.qkv[name](x).view(batch, length, self.heads, -1).transpose(1, 2)

        drop = self.drop if self.training else 0.0
        y = F.scaled_dot_product_attention(split("query"), split("key"), split("value"), attn_mask=mask, dropout_p=drop)
        y = self.attended(y.transpose(1, 2).reshape(batch, length, hidden))
        x = self.norm1(x + F.dropout(y, drop, self.training))
        y = self.down(F.gelu(self.up(x)))
        return self.norm2(x + F.dropout(y, drop, self.training))


class Encoder(nn.Module):
    """BERT, with a tanh pooler and named linear heads on the pooled vector."""

    HEADS = {"nli": 3, "stance": 3, "quality": 1}

    def __init__(self, folder, drop=0.1, pooling="mean"):
        super().__init__()
        config = json.load(open(os.path.join(folder, "config.json")))
        hidden = config["hidden_size"]
        self.pooling, self.drop = pooling, drop
        self.word = nn.Embedding(config["vocab_size"], hidden)
        self.position = nn.Embedding(config["max_position_embeddings"], hidden)
        self.kind = nn.Embedding(config["type_vocab_size"], hidden)
        self.norm = nn.LayerNorm(hidden, eps=1e-12)
        self.layers = nn.ModuleList(
            Layer(hidden, config["num_attention_heads"], config["intermediate_size"], drop) for _ in range(config["num_hidden_layers"])
        )
        self.pooler = nn.Linear(hidden, hidden)
        self.head = nn.ModuleDict({name: nn.Linear(hidden, size) for name, size in self.HEADS.items()})

    def load(self, path):
        """From the base package's file, or from a checkpoint of ours."""
        weights = load_file(path)
        self.load_state_dict({ours: weights[theirs] for ours, theirs in self.names() if theirs in weights}, strict=False)
        return self

    def names(self):
        """(ours, the base package's) for every tensor."""
        known = {"word": "embeddings.word_embeddings", "position": "embeddings.position_embeddings", "kind": "embeddings.token_type_embeddings",
                 "norm": "embeddings.LayerNorm", "pooler": "pooler.dense"}
        inner = {"attended": "attention.output.dense", "up": "intermediate.dense", "down": "output.dense",
                 "norm1": "attention.output.LayerNorm", "norm2": "output.LayerNorm"}
        for ours in self.state_dict():
            part, _, rest = ours.partition(".")
            if part in known:
                yield ours, f"{known[part]}.{rest}"
            elif part == "layers":
                number, name, *tail = rest.split(".")
                if name == "qkv":
                    yield ours, f"encoder.layer.{number}.attention.self.{'.'.join(tail)}"
                else:
                    yield ours, f"encoder.layer.{number}.{inner[name]}.{'.'.join(tail)}"
            else:
                yield ours, ours

    def pooled(self, ids, kinds, mask):
        x = self.word(ids) + self.position(torch.arange(ids.shape[1])) + self.kind(kinds)
        x = F.dropout(self.norm(x), self.drop, self.training)
        keep = mask[:, None, None, :].bool()
        for layer in self.layers:
            x = layer(x, keep)
        if self.pooling == "cls":
            pooled = x[:, 0]
        else:
            weight = mask.unsqueeze(-1).to(x.dtype)
            pooled = (x * weight).sum(1) / weight.sum(1)
        return pooled

    def forward(self, ids, kinds, mask, head):
        return self.head[head](torch.tanh(self.pooler(self.pooled(ids, kinds, mask))))
