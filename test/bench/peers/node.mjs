// node node.mjs FILE DATABASE: split2, JSON.parse and DuckDB's appender: the obvious way to write it.
import { createReadStream } from "node:fs";
import {
  BIGINT,
  DuckDBDataChunk,
  DuckDBInstance,
  DuckDBTimestampTZValue,
  INTEGER,
  TIMESTAMPTZ,
  VARCHAR,
} from "@duckdb/node-api";
import split2 from "split2";

const fields = {
  location_id: BIGINT,
  location_name: VARCHAR,
  zone_id: BIGINT,
  zone_name: VARCHAR,
  duration_secs: INTEGER,
  play_start: TIMESTAMPTZ,
  song_id: BIGINT,
  song_name: VARCHAR,
  artist_id: BIGINT,
  artist_name: VARCHAR,
};
const names = Object.keys(fields);
const chunkRows = 2048;

const [file, database] = process.argv.slice(2);
const instance = await DuckDBInstance.create(database);
const connection = await instance.connect();
await connection.run(`create table play (${names.map((name) => `${name} ${fields[name]}`).join(", ")})`);
const appender = await connection.createAppender("play");
let columns = names.map(() => []);
for await (const line of createReadStream(file, { highWaterMark: 1 << 20 }).pipe(split2())) {
  const record = JSON.parse(line);
  for (const [index, name] of names.entries()) columns[index].push(stored(name, record[name]));
  if (columns[0].length === chunkRows) append();
}
append();
appender.closeSync();
connection.closeSync();
instance.closeSync();

function stored(name, value) {
  if (fields[name] === BIGINT) return BigInt(value);
  if (fields[name] === TIMESTAMPTZ) return new DuckDBTimestampTZValue(BigInt(Date.parse(value)) * 1000n);
  return value;
}

function append() {
  if (columns[0].length === 0) return;
  const chunk = DuckDBDataChunk.create(Object.values(fields), columns[0].length);
  chunk.setColumns(columns);
  appender.appendDataChunk(chunk);
  columns = names.map(() => []);
}
