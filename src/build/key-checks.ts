import { type ColumnDefinition, describeColumns, joinDefinition } from "../mart/column-definition.ts";
import { getDateColumn, listModels, type Model, readModel } from "../mart/model.ts";

/** Groups of checks that share a statement, because each statement has a fixed cost on a cluster. */
const groups = {
  play: "play totals",
  campaign: "daily campaign facts",
  device: "daily device facts",
  fact: "other facts",
  dimension: "dimensions and bridges",
};

/**
 * Derives key and reference checks from model headers. Excludes `fact_play`, which has too many rows:
 * `plays_are_unique` checks its key, and the checks of play totals include its references.
 */
export function listKeyChecks(): { name: string; description: string; sql: string }[] {
  const tables = listModels().filter(({ schema, built }) => schema === "mart" && built.by !== "view");
  return Object.entries(groups).flatMap(([group, title]) => {
    const models = tables.filter((model) => groupOf(model) === group);
    return [
      {
        name: `${group}_grain`,
        description: `Keys are unique in ${title}, and dates of one key do not overlap.`,
        sql: models.map(selectRepeated).join("\nunion all\n"),
      },
      {
        name: `${group}_references`,
        description: `Every key that ${title} refer to exists.`,
        sql: `select distinct * from (\n${models.flatMap(selectDangling).join("\nunion all\n")}\n) as dangling`,
      },
    ];
  });
}

function groupOf({ table, built }: Model): string {
  if (built.by === "day") return built.topic.slice(0, -1);
  return table.startsWith("fact_") ? "fact" : "dimension";
}

function selectRepeated(model: Model): string {
  const { table } = model;
  // Omits the kind, which an item_key or campaign_key determines, because one grouping key fewer is 20 % faster.
  const hasKey = model.grain.some((name) => name.endsWith("_key"));
  const grain = model.grain.filter((name) => name !== "kind" || !hasKey);
  const instants = describeColumns(table).flatMap(({ name, unit }) => (unit === "instant" ? [name] : []));
  const texts = grain.map((name) => {
    const text = `cast(f.${name} as varchar)`;
    return instants.includes(name) ? `substr(${text}, 1, 19)` : `coalesce(${text}, '')`;
  });
  const select = `select '${table}' as table_name, ${texts.join(" || ', ' || ")} as key_text`;
  const owner = grain.filter((name) => name !== "valid_from").join(", ");
  if (grain.includes("valid_from"))
    return `${select} from (
    select *, lag(valid_to) over (partition by ${owner} order by valid_from, valid_to) as last_valid_to
    from mart.${table}
) as f where f.valid_from <= f.last_valid_to or f.valid_to < f.valid_from`;
  return `${select} from mart.${table} as f where ${selectChecked(model)} group by ${owner} having count(*) > 1`;
}

function selectDangling(model: Model): string[] {
  const { table, columns } = model;
  return describeColumns(table).flatMap((column) => {
    const key = findKey(column);
    if (!key || /\bmay be unknown\b/.test(joinDefinition(column))) return [];
    const isOfKind = [columns, readModel("mart", key.table).columns].every((all) =>
      all.some(({ name }) => name === "kind" && name !== column.name),
    );
    return `select '${table}.${column.name}' as key_name, cast(f.${column.name} as varchar) as key_text
from mart.${table} as f
left join mart.${key.table} as t on t.${key.name} = f.${column.name}${isOfKind ? " and t.kind = f.kind" : ""}
where t.${key.name} is null and ${selectChecked(model)}${mayBeNull(column) ? ` and f.${column.name} is not null` : ""}`;
  });
}

/** Finds the column that is the whole key of another table, and from which a column inherits its definition. */
function findKey({ like }: ColumnDefinition): { table: string; name: string } | undefined {
  const [table, name] = like?.split(".") ?? [];
  if (!table || !name) return undefined;
  if (readModel("mart", table).grain.join() === name) return { table, name };
  const inherited = describeColumns(table).find((column) => column.name === name);
  return inherited && findKey(inherited);
}

function mayBeNull(column: ColumnDefinition): boolean {
  return /\bnull\b/i.test(joinDefinition(column));
}

/** Returns a condition for the rows on days to check. Facts that are built whole are always checked completely. */
function selectChecked(model: Model): string {
  if (model.built.by !== "day") return "true";
  return getDateColumn(model) === "month"
    ? "f.month in (select cast(date_trunc('month', date) as date) from core.checked_day)"
    : "f.date in (select date from core.checked_day)";
}
