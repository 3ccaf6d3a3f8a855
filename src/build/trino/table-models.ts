import { listModels, type Model } from "../../mart/model.ts";

/** All models as tables: what is a view on one machine is built as its header says for engines that publish none. */
export function listTableModels(): Model[] {
  const models = listModels();
  const heldByReaders = models.filter(
    ({ built, withoutViews }) => built.by === "view" && withoutViews.by === "reader",
  );
  return models
    .filter((model) => !heldByReaders.includes(model))
    .map((model) => ({ ...model, built: builtAsTable(model), sql: holdSelects(model.sql, heldByReaders) }));
}

function builtAsTable({ built, withoutViews }: Model): Model["built"] {
  return built.by === "view" && withoutViews.by !== "reader" ? withoutViews : built;
}

function holdSelects(sql: string, views: readonly Model[]): string {
  return views.reduce(
    (text, view) => text.replaceAll(new RegExp(`(from|join) ${view.name}\\b`, "g"), `$1 (${view.sql}\n)`),
    sql,
  );
}
