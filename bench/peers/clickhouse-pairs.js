// clickhouse-pairs.js - count pairs with SQL in ClickHouse.
//
//     node clickhouse-pairs.js load DB POSTINGS.TSV   load lines of document,
//                                                     term
//     node clickhouse-pairs.js join|array DB THREADS BYTES
//     node clickhouse-pairs.js print DB               print count, term, term
//
// NODE_PATH is the directory of chdb, which is ClickHouse as a library.  join
// joins the postings with themselves; array collects the terms of each document
// in an array and combines each of them with the terms after it.  Both write a
// table of pairs to the database and print the version as JSON.
const { Session } = require("chdb");

const LOAD = (file) => `INSERT INTO postings SELECT * FROM
    file('${file}', 'TSV', 'doc UInt32, term UInt32')`;
const JOIN = `SELECT x.term AS a, y.term AS b, toUInt32(count()) AS n
    FROM postings x JOIN postings y ON x.doc = y.doc
    WHERE x.term < y.term GROUP BY a, b`;
const ARRAY = `SELECT a, b, toUInt32(count()) AS n FROM (
    SELECT terms[i] AS a, arrayJoin(arraySlice(terms, i + 1)) AS b FROM (
        SELECT arraySort(groupArray(term)) AS terms FROM postings GROUP BY doc)
    ARRAY JOIN arrayEnumerate(terms) AS i) GROUP BY a, b`;
const TABLE = (name, columns, order) => `CREATE TABLE ${name} (${columns})
    ENGINE = MergeTree ORDER BY ${order}`;
// Groups that exceed a third of the memory are written to disk.
const SETTINGS = (threads, bytes) => `SETTINGS max_threads = ${threads},
    max_memory_usage = ${bytes},
    max_bytes_before_external_group_by = ${Math.floor(bytes / 3)},
    max_bytes_ratio_before_external_group_by = 0`;

function main(what, path, ...rest) {
  const session = new Session(path);
  const query = { join: JOIN, array: ARRAY }[what];
  if (what === "load") {
    session.query(TABLE("postings", "doc UInt32, term UInt32", "(doc, term)"));
    session.query(TABLE("pairs", "a UInt32, b UInt32, n UInt32", "tuple()"));
    session.query(LOAD(rest[0]));
  } else if (query) {
    session.query(`INSERT INTO pairs ${query} ${SETTINGS(...rest)}`);
    const version = session.query("SELECT version()", "TSV").trim();
    console.log(JSON.stringify({ version: `ClickHouse ${version}` }));
  } else {
    session.query(`SELECT n, a, b FROM pairs INTO OUTFILE '/dev/stdout'
        TRUNCATE FORMAT CSV SETTINGS format_csv_delimiter = ' '`);
  }
  session.close();
}

try {
  main(...process.argv.slice(2));
} catch (e) {
  console.error(`clickhouse-pairs: ${e.message}`);
  process.exitCode = 1;
}
