import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { type Finished, runVenue } from "./run-venue.ts";
import type { Setup } from "./service.ts";

/** A user of the world's service on a separate machine. */
export class Machine {
  readonly #world: Setup;
  readonly #folder: string;
  readonly #groupIds: readonly number[];
  readonly #environment: NodeJS.ProcessEnv;

  /** @param environment added to that of the world */
  constructor(world: Setup, name: string, groupIds: readonly number[], environment: NodeJS.ProcessEnv = {}) {
    this.#world = world;
    this.#environment = environment;
    this.#folder = join(world.workingFolder, name);
    this.#groupIds = groupIds;
    mkdirSync(this.#folder);
  }

  get setup(): Setup {
    const environment = {
      ...this.#world.environment,
      ...this.#environment,
      VENUE_HOME: join(this.#folder, "home"),
      VENUE_GROUP_IDS: this.#groupIds.join(","),
    };
    const dataFolder = join(this.#folder, "data");
    return { ...this.#world, workingFolder: this.#folder, dataFolder, environment };
  }

  async try(...words: string[]): Promise<Finished> {
    return await runVenue(words, this.setup);
  }

  async run(...words: string[]): Promise<Finished> {
    const finished = await this.try(...words);
    expect(finished.code, `venue ${words.join(" ")}: ${finished.stderr}`).toBe(0);
    return finished;
  }
}
