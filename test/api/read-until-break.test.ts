import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { readUntilBreak } from "../../src/api/read-until-break.ts";

async function readSlowly(stream: PassThrough): Promise<string[]> {
  const seen: string[] = [];
  try {
    for await (const chunk of readUntilBreak(stream)) {
      seen.push(String(chunk));
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    seen.push("end");
  } catch (error) {
    seen.push(String(error));
  }
  return seen;
}

it("yields the chunks received before the break, then the error", async () => {
  const stream = new PassThrough();
  const reading = readSlowly(stream);
  for (const chunk of ["a", "b", "c"]) stream.write(chunk);
  setTimeout(() => stream.destroy(new Error("broken")), 1);
  expect(await reading).toEqual(["a", "b", "c", "Error: broken"]);
});

it("yields everything from a stream that ends normally", async () => {
  const stream = new PassThrough();
  const reading = readSlowly(stream);
  const large = "x".repeat(700_000);
  for (const chunk of [large, large, "last"]) stream.write(chunk);
  stream.end();
  const chunks = await reading;
  expect(chunks.pop()).toBe("end");
  expect(chunks.join("") === `${large}${large}last`).toBe(true);
});

it("fails if the stream is closed early", async () => {
  const stream = new PassThrough();
  const reading = readSlowly(stream);
  stream.write("a");
  setTimeout(() => stream.destroy(), 1);
  expect(await reading).toEqual(["a", expect.stringContaining("Premature close")]);
});
