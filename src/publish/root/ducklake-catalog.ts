import { randomUUID } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SqlParameter } from "../../engines/engine.ts";
import { sqlName, sqlText } from "../../engines/sql-text.ts";
import type { Manifest, ManifestTable } from "../../mart/manifest.ts";
import { writeDatabase } from "./catalog-database.ts";

/**
 * Columns of a DuckLake 1.0 catalog, by table without its prefix: https://ducklake.select/docs/stable/specification.
 * Readers expect all tables, most of which are empty for data that never changes.
 */
const catalogTables: Readonly<Record<string, string>> = {
  metadata: "key varchar, value varchar, scope varchar, scope_id bigint",
  snapshot:
    "snapshot_id bigint, snapshot_time timestamptz, schema_version bigint, next_catalog_id bigint, next_file_id bigint",
  snapshot_changes:
    "snapshot_id bigint, changes_made varchar, author varchar, commit_message varchar, commit_extra_info varchar",
  schema:
    "schema_id bigint, schema_uuid uuid, begin_snapshot bigint, end_snapshot bigint, schema_name varchar, path varchar, path_is_relative boolean",
  schema_versions: "begin_snapshot bigint, schema_version bigint, table_id bigint",
  table:
    "table_id bigint, table_uuid uuid, begin_snapshot bigint, end_snapshot bigint, schema_id bigint, table_name varchar, path varchar, path_is_relative boolean",
  table_stats: "table_id bigint, record_count bigint, next_row_id bigint, file_size_bytes bigint",
  table_column_stats:
    "table_id bigint, column_id bigint, contains_null boolean, contains_nan boolean, min_value varchar, max_value varchar, extra_stats varchar",
  column:
    "column_id bigint, begin_snapshot bigint, end_snapshot bigint, table_id bigint, column_order bigint, column_name varchar, column_type varchar, initial_default varchar, default_value varchar, nulls_allowed boolean, parent_column bigint, default_value_type varchar, default_value_dialect varchar",
  column_mapping: "mapping_id bigint, table_id bigint, type varchar",
  column_tag:
    "table_id bigint, column_id bigint, begin_snapshot bigint, end_snapshot bigint, key varchar, value varchar",
  name_mapping:
    "mapping_id bigint, column_id bigint, source_name varchar, target_field_id bigint, parent_column bigint, is_partition boolean",
  tag: "object_id bigint, begin_snapshot bigint, end_snapshot bigint, key varchar, value varchar",
  data_file:
    "data_file_id bigint, table_id bigint, begin_snapshot bigint, end_snapshot bigint, file_order bigint, path varchar, path_is_relative boolean, file_format varchar, record_count bigint, file_size_bytes bigint, footer_size bigint, row_id_start bigint, partition_id bigint, encryption_key varchar, mapping_id bigint, partial_max bigint",
  delete_file:
    "delete_file_id bigint, table_id bigint, begin_snapshot bigint, end_snapshot bigint, data_file_id bigint, path varchar, path_is_relative boolean, format varchar, delete_count bigint, file_size_bytes bigint, footer_size bigint, encryption_key varchar, partial_max bigint",
  file_column_stats:
    "data_file_id bigint, table_id bigint, column_id bigint, column_size_bytes bigint, value_count bigint, null_count bigint, min_value varchar, max_value varchar, contains_nan boolean, extra_stats varchar",
  file_variant_stats:
    "data_file_id bigint, table_id bigint, column_id bigint, variant_path varchar, shredded_type varchar, column_size_bytes bigint, value_count bigint, null_count bigint, min_value varchar, max_value varchar, contains_nan boolean, extra_stats varchar",
  file_partition_value:
    "data_file_id bigint, table_id bigint, partition_key_index bigint, partition_value varchar",
  files_scheduled_for_deletion:
    "data_file_id bigint, path varchar, path_is_relative boolean, schedule_start timestamptz",
  inlined_data_tables: "table_id bigint, table_name varchar, schema_version bigint",
  partition_info: "partition_id bigint, table_id bigint, begin_snapshot bigint, end_snapshot bigint",
  partition_column:
    "partition_id bigint, table_id bigint, partition_key_index bigint, column_id bigint, transform varchar",
  sort_info: "sort_id bigint, table_id bigint, begin_snapshot bigint, end_snapshot bigint",
  sort_expression:
    "sort_id bigint, table_id bigint, sort_key_index bigint, expression varchar, dialect varchar, sort_direction varchar, null_order varchar",
  view: "view_id bigint, view_uuid uuid, begin_snapshot bigint, end_snapshot bigint, schema_id bigint, view_name varchar, dialect varchar, sql varchar, column_aliases varchar",
  macro: "schema_id bigint, macro_id bigint, macro_name varchar, begin_snapshot bigint, end_snapshot bigint",
  macro_impl: "macro_id bigint, impl_id bigint, dialect varchar, sql varchar, type varchar",
  macro_parameters:
    "macro_id bigint, impl_id bigint, column_id bigint, parameter_name varchar, parameter_type varchar, default_value varchar, default_value_type varchar",
};

/** DuckLake's names of published column types. Other types have the same name in lower case. */
const typeNames: Readonly<Record<string, string>> = {
  BIGINT: "int64",
  INTEGER: "int32",
  DOUBLE: "float64",
  "TIMESTAMP WITH TIME ZONE": "timestamptz",
};

/**
 * Returns a DuckDB file with a frozen DuckLake catalog: the tables of a version, whose files stay where they are.
 * @param address of the version's folder, e.g. `s3://bucket/venue/v000007-1a2b3c4d`
 */
export async function createDuckLakeCatalog(address: string, manifest: Manifest): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), "venue-analytics-catalog-"));
  const path = join(folder, "venue.ducklake");
  try {
    await writeDatabase(path, describeCatalog(address, manifest));
    return readFileSync(path);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Ids are positions in the manifest; everything belongs to snapshot 0. */
function describeCatalog(address: string, { built_at, tables }: Manifest): string[] {
  const described = Object.entries(tables);
  let nextFile = 0;
  const statements = described.flatMap(([name, table], index) => {
    nextFile += table.files.length;
    return describeTable(name, table, index + 1, nextFile - table.files.length);
  });
  return [
    ...Object.entries(catalogTables).map(([table, columns]) => `create table ducklake_${table} (${columns})`),
    insert("metadata", [
      ["version", "1.0", null, null],
      ["created_by", "venue-analytics", null, null],
      ["data_path", `${address}/`, null, null],
      ["encrypted", "false", null, null],
    ]),
    insert("snapshot", [[0, built_at, 0, described.length + 1, nextFile]]),
    insert("snapshot_changes", [[0, 'created_schema:"main"', null, null, null]]),
    insert("schema", [[0, randomUUID(), 0, null, "main", "", true]]),
    ...statements,
  ];
}

function describeTable(
  name: string,
  { columns, files, rows }: ManifestTable,
  id: number,
  firstFile: number,
): string[] {
  let rowId = 0;
  const dataFiles = files.map(({ path, rows: count, bytes }, index) => {
    const begin = rowId;
    rowId += count;
    return [
      firstFile + index,
      id,
      0,
      null,
      null,
      path,
      true,
      "parquet",
      count,
      bytes,
      null,
      begin,
      null,
      null,
      id,
      null,
    ];
  });
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  return [
    insert("table", [[id, randomUUID(), 0, null, 0, name, "", true]]),
    insert("table_stats", [[id, rows, rowId, bytes]]),
    insert("column_mapping", [[id, id, "map_by_name"]]),
    insert(
      "column",
      columns.map(({ name: column, type }, index) => {
        const typeName = typeNames[type] ?? type.toLowerCase();
        return [
          index + 1,
          0,
          null,
          id,
          index + 1,
          column,
          typeName,
          null,
          "NULL",
          true,
          null,
          "literal",
          "duckdb",
        ];
      }),
    ),
    insert(
      "name_mapping",
      columns.map(({ name: column }, index) => [id, index, column, index + 1, null, false]),
    ),
    insert(
      "column_tag",
      columns.map(({ description }, index) => [id, index + 1, 0, null, "comment", description]),
    ),
    ...(dataFiles.length > 0 ? [insert("data_file", dataFiles)] : []),
  ];
}

function insert(table: string, rows: readonly (readonly SqlParameter[])[]): string {
  const write = (value: SqlParameter) => (typeof value === "string" ? sqlText(value) : String(value));
  return `insert into ${sqlName(`ducklake_${table}`)} values ${rows.map((row) => `(${row.map(write).join(", ")})`).join(", ")}`;
}
