// node duckdb.mjs FILE DATABASE: DuckDB's own typed read of music lines into a table, with its own defaults.
import { DuckDBInstance } from "@duckdb/node-api";

const [file, database] = process.argv.slice(2);
const instance = await DuckDBInstance.create(database);
const connection = await instance.connect();
await connection.run(`create table play as select * from read_ndjson('${file}', columns = {
  location_id: 'bigint', location_name: 'varchar', zone_id: 'bigint', zone_name: 'varchar',
  duration_secs: 'integer', play_start: 'timestamptz', song_id: 'bigint', song_name: 'varchar',
  artist_id: 'bigint', artist_name: 'varchar'})`);
connection.closeSync();
instance.closeSync();
