// duckdb-pairs.js - count pairs with an SQL self-join in DuckDB.
//
//     node duckdb-pairs.js load DB POSTINGS.TSV   load lines of document, term
//     node duckdb-pairs.js whole|blocks DB THREADS MEMORY TMPDIR
//     node duckdb-pairs.js print DB               print count, term, term
//
// NODE_PATH is the directory of @duckdb/node-api.  whole counts with one
// query, blocks with one query per range of terms, so that only the groups of
// one range are in memory.  Both write a table of pairs to the database and
// print the version as JSON.
const { DuckDBInstance } = require("@duckdb/node-api");

const LOAD = (file) => `CREATE TABLE postings AS SELECT * FROM
    read_csv('${file}', delim = '\t', header = false,
             columns = {'doc': 'UINTEGER', 'term': 'UINTEGER'})`;
const COUNT = `SELECT a.term AS a, b.term AS b, count(*)::UINTEGER AS n
    FROM postings a JOIN postings b ON a.doc = b.doc AND a.term < b.term`;
const GROUP = "GROUP BY a.term, b.term";
const WORK = 100e6; // increments per block, unless one term alone has more
const WORK_BY_TERM = `SELECT term, sum(length)::DOUBLE FROM postings
    JOIN (SELECT doc, count(*) AS length FROM postings GROUP BY doc)
    USING (doc) GROUP BY term ORDER BY term`;
const PRINT = `COPY (SELECT n, a, b FROM pairs) TO '/dev/stdout'
    (FORMAT csv, delim ' ', header false)`;

async function countWhole(c) {
  await c.run(`CREATE TABLE pairs AS ${COUNT} ${GROUP}`);
}

async function countBlocks(c) {
  const work = (await c.runAndReadAll(WORK_BY_TERM)).getRows();
  await c.run("CREATE TABLE pairs (a UINTEGER, b UINTEGER, n UINTEGER)");
  for (let first = 0, end; first < work.length; first = end) {
    let sum = 0;
    for (end = first; end < work.length && sum < WORK; end++)
      sum += work[end][1];
    await c.run(`INSERT INTO pairs ${COUNT} WHERE a.term BETWEEN
        ${work[first][0]} AND ${work[end - 1][0]} ${GROUP}`);
  }
}

async function main(what, path, ...rest) {
  const count = { whole: countWhole, blocks: countBlocks }[what];
  const settings = count
    ? { threads: rest[0], memory_limit: rest[1], temp_directory: rest[2],
        preserve_insertion_order: "false" }
    : { memory_limit: "1GB" };
  const db = await DuckDBInstance.create(path, settings);
  const c = await db.connect();
  if (what === "load") {
    await c.run(LOAD(rest[0]));
  } else if (count) {
    await count(c);
    await c.run("CHECKPOINT");
    const v = await c.runAndReadAll("SELECT version()");
    console.log(JSON.stringify({ version: `DuckDB ${v.getRows()[0][0]}` }));
  } else {
    await c.run(PRINT);
  }
  c.closeSync();
  db.closeSync();
}

main(...process.argv.slice(2)).catch((e) => {
  console.error(`duckdb-pairs: ${e.message}`);
  process.exitCode = 1;
});
