// duckdb-pairs.js - count pairs by an SQL self-join in DuckDB.
//
//     node duckdb-pairs.js load DB POSTINGS.TSV   lines of document, term
//     node duckdb-pairs.js count DB THREADS MEMORY TMPDIR
//     node duckdb-pairs.js print DB               count, term, term
//
// NODE_PATH says where npm has put @duckdb/node-api.  count leaves a table
// of pairs in the database and prints JSON: version.
const { DuckDBInstance } = require("@duckdb/node-api");

const LOAD = (file) => `CREATE TABLE postings AS SELECT * FROM
    read_csv('${file}', delim = '\t', header = false,
             columns = {'doc': 'UINTEGER', 'term': 'UINTEGER'})`;
const COUNT = `CREATE TABLE pairs AS
    SELECT a.term AS a, b.term AS b, count(*)::UINTEGER AS n
    FROM postings a JOIN postings b ON a.doc = b.doc AND a.term < b.term
    GROUP BY a.term, b.term`;
const PRINT = `COPY (SELECT n, a, b FROM pairs) TO '/dev/stdout'
    (FORMAT csv, delim ' ', header false)`;

async function main(what, path, ...rest) {
  const settings = what === "count"
    ? { threads: rest[0], memory_limit: rest[1], temp_directory: rest[2],
        preserve_insertion_order: "false" }
    : { memory_limit: "1GB" };
  const db = await DuckDBInstance.create(path, settings);
  const c = await db.connect();
  if (what === "load") {
    await c.run(LOAD(rest[0]));
  } else if (what === "count") {
    await c.run(COUNT);
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
