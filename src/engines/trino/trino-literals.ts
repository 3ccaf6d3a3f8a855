import type { SqlParameter } from "../engine.ts";
import { sqlText } from "../sql-text.ts";

/** A statement with its parameters' values, as text: Trino's protocol has no place beside it for them. */
export function withParameters(sql: string, parameters: readonly SqlParameter[]): string {
  if (parameters.length === 0) return sql;
  return `execute immediate ${sqlText(sql)} using ${parameters.map(trinoLiteral).join(", ")}`;
}

/** Whole numbers are BIGINT, as DuckDB is given them, or decimals beyond 64 bits; other numbers DOUBLE. */
export function trinoLiteral(value: SqlParameter): string {
  if (value === null) return "null";
  if (typeof value === "boolean") return String(value);
  if (typeof value === "string") return sqlText(value);
  if (typeof value === "bigint" || isWhole(value)) return wholeLiteral(BigInt(value));
  if (Number.isNaN(value)) return "nan()";
  if (!Number.isFinite(value)) return value > 0 ? "infinity()" : "-infinity()";
  return `double '${value}'`;
}

/** Of as many digits as a decimal has. */
function isWhole(value: number): boolean {
  return Number.isInteger(value) && Math.abs(value) < 1e38;
}

function wholeLiteral(value: bigint): string {
  return BigInt.asIntN(64, value) === value ? `bigint '${value}'` : `decimal '${value}'`;
}
