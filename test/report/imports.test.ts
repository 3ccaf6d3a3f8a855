import { expect, it } from "vitest";
import { loadedBy } from "../support/loaded-by.ts";

it.each(["--help", "--version"])(
  "%s loads no command, and only the option parser as a library",
  async (flag) => {
    const { modules, packages } = await loadedBy([flag]);
    expect(packages).toEqual(["commander"]);
    expect(modules.filter((module) => module.startsWith("cli/commands/"))).toEqual([]);
  },
);
