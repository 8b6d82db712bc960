import cooc
store = cooc.open("posts.cooc")
print(store["grinder", "espresso"])
m = store.matrix(top_terms=20, measure="ppmi")
print(m.shape, m.format)
