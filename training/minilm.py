"""all-MiniLM-L6-v2 in forty lines of torch: what the distillation asks, without `transformers`."""

from pathlib import Path

import torch
import torch.nn.functional as F
from safetensors.torch import load_file
from tokenizers import Tokenizer

LAYERS, HEADS = 6, 12


class Encoder:
    def __init__(self, folder: Path, longest: int = 64):
        self.w = {k.removeprefix("bert."): v for k, v in load_file(folder / "model.safetensors").items()}
        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.tokenizer.no_padding()
        self.tokenizer.enable_truncation(longest)
        self.tokenizer.encode_special_tokens = True

    def linear(self, x: torch.Tensor, name: str) -> torch.Tensor:
        return F.linear(x, self.w[name + ".weight"], self.w[name + ".bias"])

    def norm(self, x: torch.Tensor, name: str) -> torch.Tensor:
        return F.layer_norm(x, x.shape[-1:], self.w[name + ".weight"], self.w[name + ".bias"], 1e-12)

    @torch.inference_mode()
    def hidden(self, ids: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """Contextual outputs, one vector a token."""
        e = "embeddings."
        x = self.w[e + "word_embeddings.weight"][ids] + self.w[e + "position_embeddings.weight"][: ids.shape[1]]
        x = self.norm(x + self.w[e + "token_type_embeddings.weight"][0], e + "LayerNorm")
        rows, length, width = x.shape
        bias = torch.where(mask, 0.0, -1e9)[:, None, None, :]
        for layer in range(LAYERS):
            p = f"encoder.layer.{layer}."
            q, k, v = (
                self.linear(x, p + "attention.self." + part).view(rows, length, HEADS, -1).transpose(1, 2)
                for part in ("query", "key", "value")
            )
            a = F.scaled_dot_product_attention(q, k, v, attn_mask=bias).transpose(1, 2).reshape(rows, length, width)
            x = self.norm(x + self.linear(a, p + "attention.output.dense"), p + "attention.output.LayerNorm")
            h = self.linear(F.gelu(self.linear(x, p + "intermediate.dense")), p + "output.dense")
            x = self.norm(x + h, p + "output.LayerNorm")
        return x

    def batches(self, sequences: list[list[int]], size: int = 64):
        """Hidden states by batches of like length: (positions in `sequences`, hidden, mask)."""
        order = sorted(range(len(sequences)), key=lambda i: len(sequences[i]))
        for start in range(0, len(order), size):
            chunk = order[start : start + size]
            longest = max(len(sequences[i]) for i in chunk)
            ids = torch.zeros(len(chunk), longest, dtype=torch.long)
            for row, i in enumerate(chunk):
                ids[row, : len(sequences[i])] = torch.tensor(sequences[i])
            mask = torch.zeros_like(ids, dtype=torch.bool)
            for row, i in enumerate(chunk):
                mask[row, : len(sequences[i])] = True
            yield chunk, self.hidden(ids, mask), mask, ids
