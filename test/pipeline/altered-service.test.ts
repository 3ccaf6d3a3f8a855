import { expect, it } from "vitest";
import { alterService } from "../support/altered-service.ts";
import { setUp } from "../support/service.ts";
import { syncHere } from "./sync-workspace.ts";

const small = { days: 3, zones: 2, playScale: 0.2 };

it.each([false, true])(
  "says what the status API counts but does not list, with a next page always named: %s",
  async (isEndless) => {
    const setup = await setUp(small);
    const passed = await alterService(setup, ({ path }) =>
      /components|present/.test(path)
        ? {
            json: (answer) => {
              const page = Number(/page=(\d+)/.exec(path)?.[1] ?? 1);
              answer.meta.total_count = 60;
              answer.meta.next_page = isEndless ? `/v1/x?page=${page + 1}` : null;
              return answer;
            },
          }
        : undefined,
    );
    const { incomplete, failures } = await syncHere(setup, { topics: ["status"] });
    expect(failures).toEqual([]);
    expect(incomplete.map(({ source, why }) => `${source}: ${why}`).sort()).toEqual([
      expect.stringMatching(/^components of .*: the status API counts 60 components, but lists \d+$/),
      expect.stringMatching(/^notices of .*: the status API counts 60 present notices, but lists \d+$/),
    ]);
    expect(passed.length).toBeLessThan(15);
  },
);
