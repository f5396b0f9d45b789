# The rates of TestStudyAsTheDatahubShipsIt by pandas, over the files of the simulator:
#
#	python3 shipped.py ../../../entrez/cbioportal/cbioportaltest
#
# prints for each gene: mutations, samples mutated, samples profiled, rate.
import io
import json
import re
import sys

import pandas as pd

folder = sys.argv[1]
parts = re.split(r"^-- (\S+) --\n", open(folder + "/studies.txtar").read(), flags=re.M)
files = dict(zip(parts[1::2], parts[2::2]))


def table(name):
    return pd.read_csv(io.StringIO(files["synthetic_shipped_2026/" + name]), sep="\t", comment="#", dtype=str, keep_default_na=False)


panels = {p["genePanelId"]: {g["entrezGeneId"] for g in p["genes"]} for p in json.load(open(folder + "/panels.json"))}
m = table("data_mutations.txt")
m["Entrez_Gene_Id"] = m.Entrez_Gene_Id.astype(int)
x = table("data_gene_panel_matrix.txt")
quiet = ["Silent", "Intron", "3'UTR", "5'UTR", "3'Flank", "5'Flank", "RNA", "IGR"]
keep = m[~m.Variant_Classification.isin(quiet) | ((m.Entrez_Gene_Id == 7015) & (m.Variant_Classification == "5'Flank"))]
for symbol, gene in {"KRAS": 3845, "PRKN": 5071, "PARK2": 5071, "TERT": 7015, "TP53": 7157}.items():
    on = x[[p in ("WES", "WXS", "WGS") or gene in panels.get(p, set()) for p in x.mutations]].SAMPLE_ID
    k = keep[(keep.Entrez_Gene_Id == gene) & keep.Tumor_Sample_Barcode.isin(on)]
    print(symbol, len(k), k.Tumor_Sample_Barcode.nunique(), on.nunique(), k.Tumor_Sample_Barcode.nunique() / on.nunique())
