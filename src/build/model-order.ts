/** Something that is built from tables: a model, or what the builder writes between models. */
export interface Buildable {
  /** `schema.table` */
  name: string;
  /** What it reads, as `schema.table`. */
  tables: readonly string[];
}

/**
 * Each after everything that it reads; otherwise in the order given.
 * @throws when two read each other
 */
export function orderBuildables<Item extends Buildable>(items: readonly Item[]): Item[] {
  const byName = new Map(items.map((item) => [item.name, item]));
  const ordered = new Set<Item>();
  const visit = (item: Item, path: readonly string[]): void => {
    if (ordered.has(item)) return;
    if (path.includes(item.name))
      throw new Error(`models read each other: ${[...path, item.name].join(" → ")}`);
    for (const table of item.tables) {
      const source = byName.get(table);
      if (source) visit(source, [...path, item.name]);
    }
    ordered.add(item);
  };
  for (const item of items) visit(item, []);
  return [...ordered];
}
