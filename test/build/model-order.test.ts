import { expect, it } from "vitest";
import { orderBuildables } from "../../src/build/build-step.ts";

const models = (reads: Record<string, string[]>) =>
  Object.entries(reads).map(([name, tables]) => ({ name, tables }));

it.each([
  ["as given where nothing is read", { a: [], b: ["core.x"] }, "a b"],
  ["sources first", { a: ["b"], b: ["c"], c: [] }, "c b a"],
  ["each once", { a: ["c"], b: ["c", "a"], c: [] }, "c a b"],
])("%s", (_label, reads, order) => {
  expect(
    orderBuildables(models(reads))
      .map(({ name }) => name)
      .join(" "),
  ).toBe(order);
});

it("names models that read each other", () => {
  expect(() => orderBuildables(models({ a: ["b"], b: ["c"], c: ["b"] }))).toThrow("b → c → b");
});
