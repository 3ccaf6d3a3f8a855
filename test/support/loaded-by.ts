import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { program as compiled } from "./run-venue.ts";

// Reports each loaded module: imported ones immediately, required ones at the end.
const hook = `import { writeSync } from "node:fs";
  export async function load(url, context, next) { writeSync(2, "loads " + url + "\\n"); return next(url, context); }`;
const register = `import { createRequire, register } from "node:module";
  import { writeSync } from "node:fs";
  register("data:text/javascript,${encodeURIComponent(hook)}");
  const { cache } = createRequire("file:///");
  process.on("exit", () => { for (const path of Object.keys(cache)) writeSync(2, "loads " + path + "\\n"); });`;

export interface Loaded {
  /** Modules of the program itself, e.g. `cli/program`. */
  modules: string[];
  packages: string[];
}

/**
 * All modules that the program loads.
 * @param program its main file
 * @default the compiled one
 */
export async function loadedBy(
  words: readonly string[],
  environment: NodeJS.ProcessEnv = {},
  program: string = compiled,
): Promise<Loaded> {
  const { stderr } = await promisify(execFile)(
    process.execPath,
    ["--import", `data:text/javascript,${encodeURIComponent(register)}`, program, ...words],
    { env: { ...process.env, ...environment } },
  );
  const paths = Array.from(stderr.matchAll(/^loads (?:file:\/\/)?(\/.*)$/gm), ([, path = ""]) => path);
  const all = (pattern: RegExp) =>
    [...new Set(paths.flatMap((path) => pattern.exec(path)?.[1] ?? []))].sort();
  return {
    modules: all(/^(?!.*\/node_modules\/).*\/dist\/(.*)\.js$/),
    // A library's binary differs between machines.
    packages: all(/.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//).filter(
      (name) => !/-(x64|arm64)\b|^detect-libc$/.test(name),
    ),
  };
}
