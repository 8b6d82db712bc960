import networkx
g = networkx.read_graphml("letters.graphml")
print(g.number_of_nodes(), "words,", g.number_of_edges(), "edges")
