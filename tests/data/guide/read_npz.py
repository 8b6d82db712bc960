import scipy.sparse
m = scipy.sparse.load_npz("posts.npz")
terms = open("posts.npz.terms.txt", encoding="utf-8").read().splitlines()
row = m[terms.index("grinder")].toarray()[0]
print(m.shape, m.dtype)
for i in (-row).argsort(kind="stable")[:3]:
    print(terms[i], round(row[i], 3))
