import { expect, it } from "vitest";
import { Places } from "../../../src/serve/versions/version-pool.ts";

const { signal } = new AbortController();

it("each thing is used by one at a time, and who waits longest comes first", async () => {
  const places = new Places(["a"]);
  const first = await places.take(signal);
  const order: string[] = [];
  const second = places.take(signal).then((place) => {
    order.push("second");
    return place;
  });
  const third = places.take(signal).then((place) => {
    order.push("third");
    return place;
  });
  first.release();
  // Given back once, however often it is said.
  first.release();
  (await second).release();
  (await third).release();
  expect(order).toEqual(["second", "third"]);
});

it("who leaves while waiting gets nothing", async () => {
  const places = new Places(["a"]);
  const first = await places.take(signal);
  const leaving = new AbortController();
  const left = places.take(leaving.signal);
  const staying = places.take(signal);
  leaving.abort(new Error("gone"));
  await expect(left).rejects.toThrow("gone");
  first.release();
  expect((await staying).item).toBe("a");
});

it("tells when nothing is in use any more", async () => {
  const places = new Places(["a", "b"]);
  await places.empty();
  const [one, other] = [await places.take(signal), await places.take(signal)];
  let isEmpty = false;
  const whenEmpty = places.empty().then(() => {
    isEmpty = true;
  });
  one.release();
  await Promise.resolve();
  expect(isEmpty).toBe(false);
  other.release();
  await whenEmpty;
});
