import { expect, it } from "vitest";
import { parseHttpDate } from "../../src/util/http-values.ts";

it.each([
  ["Sun, 06 Nov 1994 08:49:37 GMT", "1994-11-06T08:49:37.000Z"],
  ["Sunday, 06-Nov-94 08:49:37 GMT", "1994-11-06T08:49:37.000Z"],
  ["Sun Nov  6 08:49:37 1994", "1994-11-06T08:49:37.000Z"],
  ["Sun, 06 Nov 1994 08:49:37 +0100", "1994-11-06T07:49:37.000Z"],
  ["-5", undefined],
  ["1994-11-06", undefined],
  ["Sun, someday", undefined],
  [undefined, undefined],
])("%s is %s in any time zone", (text, instant) => {
  const zone = process.env.TZ;
  for (const place of ["UTC", "Europe/Berlin", "America/New_York"]) {
    process.env.TZ = place;
    const found = parseHttpDate(text);
    expect(found === undefined ? undefined : new Date(found).toISOString(), place).toBe(instant);
  }
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
});
