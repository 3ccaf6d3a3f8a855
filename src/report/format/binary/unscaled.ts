import type { ReportValue } from "../../report.ts";

/** Returns a decimal's digits as a whole number, e.g. 1250 for 12.5 with a scale of 2. */
export function unscaled(value: ReportValue, scale: number): bigint {
  const [, sign = "", whole = "0", fraction = "", exponent = "0"] =
    /^(-?)(\d*)(?:\.(\d+))?(?:e([+-]?\d+))?$/.exec(String(value)) ?? [];
  const shift = scale + Number(exponent) - fraction.length;
  const digits = BigInt(`${whole}${fraction}`);
  const number = shift < 0 ? digits / 10n ** BigInt(-shift) : digits * 10n ** BigInt(shift);
  return sign === "-" ? -number : number;
}
