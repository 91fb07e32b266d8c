"""Opposites, synonyms, kinds and siblings of words, read from WordNet's database files."""

import os
import re
from collections import defaultdict

PARTS = {"noun": "n", "verb": "v", "adj": "a", "adv": "r"}
# A sense that far down the list is not what the word usually means.
TOP_SENSES = 1


class WordNet:
    """First senses only: what a word means when nothing else is known."""

    def __init__(self, folder):
        self.synsets = {}
        self.first = {}
        self.antonyms = defaultdict(set)
        self.children = defaultdict(list)
        for part, tag in PARTS.items():
            self._data(os.path.join(folder, f"data.{part}"), tag)
            self._index(os.path.join(folder, f"index.{part}"), tag)

    def _data(self, path, tag):
        for line in open(path, encoding="utf-8"):
            if line.startswith("  "):
                continue
            fields = line.split("|")[0].split()
            offset, count = fields[0], int(fields[3], 16)
            words = [re.sub(r"\(.*\)", "", word) for word in fields[4 : 4 + 2 * count : 2]]
            at = 4 + 2 * count
            pointers = []
            for number in range(int(fields[at])):
                symbol, target, pos, source = fields[at + 1 + 4 * number : at + 5 + 4 * number]
                pointers.append((symbol, "a" if pos == "s" else pos, target, source))
            key = (tag, offset)
            self.synsets[key] = (words, pointers)
            for symbol, pos, target, _ in pointers:
                if symbol == "@":
                    self.children[(pos, target)].append(key)

    def _index(self, path, tag):
        for line in open(path, encoding="utf-8"):
            if line.startswith("  "):
                continue
            fields = line.split()
            offsets = [field for field in fields if len(field) == 8 and field.isdigit()]
            if offsets and "_" not in fields[0]:
                tagged = int(fields[-len(offsets) - 1])
                self.first[(tag, fields[0])] = ((tag, offsets[0]), tagged, len(offsets))
        for (tag_, offset), (words, pointers) in list(self.synsets.items()):
            if tag_ != tag:
                continue
            for symbol, pos, target, source in pointers:
                if symbol == "!" and source != "0000":
                    other = self.synsets.get((pos, target))
                    word = words[int(source[:2], 16) - 1]
                    if other:
                        opposite = other[0][int(source[2:], 16) - 1]
                        if "_" not in word + opposite and opposite.islower() and word.islower():
                            self.antonyms[(tag, word)].add(opposite)

    def common(self, tag, word):
        """Whether the word's first sense is one people use (it was met in tagged text)."""
        entry = self.first.get((tag, word))
        return bool(entry and entry[1] > 0)

    def opposites(self, tag, word):
        return sorted(other for other in self.antonyms.get((tag, word), ()) if self.common(tag, other))

    def synonyms(self, tag, word):
        entry = self.first.get((tag, word))
        if not entry:
            return []
        return [
            other for other in self.synsets[entry[0]][0]
            if other != word and other.isalpha() and other.islower() and self._leads(tag, other, entry[0])
        ]

    def _leads(self, tag, word, synset):
        entry = self.first.get((tag, word))
        return bool(entry and entry[0] == synset)

    def hypernyms(self, word):
        """Common words for kinds the noun belongs to, one or two steps up."""
        entry = self.first.get(("n", word))
        found = []
        for key in self._parents(entry[0]) if entry else []:
            for above in [key] + self._parents(key)[:1]:
                found += [
                    other for other in self.synsets[above][0][:2]
                    if other.isalpha() and other.islower() and self._leads("n", other, above) and self.common("n", other)
                ]
        return [other for other in found if other != word]

    def _parents(self, key):
        return [(pos, target) for symbol, pos, target, _ in self.synsets[key][1] if symbol == "@"]

    def siblings(self, word):
        """Other kinds of the same kind: violin for guitar."""
        entry = self.first.get(("n", word))
        found = []
        for parent in self._parents(entry[0])[:1] if entry else []:
            if len(self.children[parent]) > 60:
                continue
            for child in self.children[parent]:
                words = self.synsets[child][0]
                if child != entry[0] and words[0].isalpha() and words[0].islower() and self.common("n", words[0]):
                    found.append(words[0])
        return [other for other in found if other != word]
