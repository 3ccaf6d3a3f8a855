/** A type of Trino's, as what DuckDB calls it and how its values are read. */
export interface TrinoType {
  /** DuckDB's word for it; Trino's, in capitals, where DuckDB has none. */
  word: string;
  /** `varchar`, `decimal`, … without what follows. */
  base: string;
  /** Of an array. */
  element?: TrinoType;
}

const words: Readonly<Record<string, string>> = {
  char: "VARCHAR",
  json: "VARCHAR",
  real: "FLOAT",
  row: "STRUCT",
  time: "TIME",
  timestamp: "TIMESTAMP",
  // Of a null that is not cast; DuckDB takes it for an INTEGER.
  unknown: "INTEGER",
  varbinary: "BLOB",
  varchar: "VARCHAR",
};

/** Reads a type as Trino writes it: `timestamp(6) with time zone`, `decimal(4, 2)`, `array(array(bigint))`. */
export function parseTrinoType(text: string): TrinoType {
  const element = /^array\((.*)\)$/s.exec(text)?.[1];
  if (element !== undefined) {
    const type = parseTrinoType(element);
    return { base: "array", word: `${type.word}[]`, element: type };
  }
  const [, head = text, inner = "", tail = ""] = /^([^(]*)(?:\((.*)\))?([^()]*)$/s.exec(text) ?? [];
  const base = `${head}${tail}`;
  if (base === "decimal") return { base, word: `DECIMAL(${inner.replaceAll(" ", "")})` };
  return { base, word: words[base] ?? base.toUpperCase() };
}
