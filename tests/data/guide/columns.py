import csv, sys
for row in csv.DictReader(sys.stdin):
    print(row["id"], " ".join(row["text"].split()), sep="\t")
