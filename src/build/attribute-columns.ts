import type { Engine } from "../engines/engine.ts";
import { sqlName, sqlText } from "../engines/sql-text.ts";
import type { AttributeEntity } from "../mart/attribute.ts";
import type { Model } from "../mart/model.ts";
import { readSql } from "../util/files/package-files.ts";

interface AttributeName {
  subject: AttributeEntity;
  name: string;
  is_number: boolean;
}

/** Adds one column per attribute, with its value on the date of the data, to the models that pivot attributes. */
export async function withAttributeColumns(engine: Engine, models: readonly Model[]): Promise<Model[]> {
  const names = await engine.all<AttributeName>(readSql("build/attribute_names.sql"));
  return models.map((model) =>
    model.pivot === undefined
      ? model
      : {
          ...model,
          sql: addColumns(
            model.sql,
            names.filter(({ subject }) => subject === model.pivot),
          ),
        },
  );
}

function addColumns(sql: string, names: readonly AttributeName[]): string {
  const columns = names.map(({ name, is_number }) => {
    const value = `max(case
        when b.attribute_name = ${sqlText(name)} and cast(coalesce(i.data_as_of, i.built_at) as date) between b.valid_from and b.valid_to
            then b.attribute_value
    end)`;
    return `,\n    ${is_number ? `try_cast(${value} as double)` : value} as ${sqlName(name)}`;
  });
  return sql.replace("\nfrom ", () => `${columns.join("")}\nfrom `);
}
