library(Matrix)
m <- readMM("posts.mtx")
terms <- readLines("posts.mtx.terms.txt", encoding = "UTF-8")
dimnames(m) <- list(terms, terms)
x <- m["grinder", c("espresso", "quiet", "kettle")]
cat(sprintf("%s %g\n", names(x), x), sep = "")
