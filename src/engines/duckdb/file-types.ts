/** Type of a UTC-adjusted instant in files. Models use a plain `TIMESTAMP` in UTC. */
export const instantType = "TIMESTAMP WITH TIME ZONE";

/** Converts a column's type in models to its type in files. A `TIMESTAMP` is an instant unless named `…_local`. */
export function typeInFiles(column: string, type: string): string {
  if (type.startsWith("ENUM")) return "VARCHAR";
  return type === "TIMESTAMP" && !column.endsWith("_local") ? instantType : type;
}

// Values are converted via microseconds, because a cast uses the calendar of the session's time zone and takes
// 30 times as long.

/** Returns an expression that converts a file's value for models. @param type the column's type in files */
export function fromFile(value: string, type: string): string {
  return type === instantType ? `make_timestamp(epoch_us(${value}))` : value;
}

/** Returns an expression that converts a model's value for files. @param type the column's type in files */
export function toFile(value: string, type: string): string {
  if (type === instantType) return `make_timestamptz(epoch_us(${value}))`;
  return type === "VARCHAR" ? `cast(${value} as varchar)` : value;
}
