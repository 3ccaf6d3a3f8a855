import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseEnv } from "node:util";
import { ConfigError } from "./config-error.ts";
import { flagOf, type Variable, type VariableName, variableNames, variables } from "./variables.ts";

/** Where a value came from, strongest first. */
export type Origin = "flag" | "environment" | ".env" | "default" | "not set";

type Value<Name extends VariableName> = NonNullable<ReturnType<(typeof variables)[Name]["parser"]["parse"]>>;

export interface SettingSources {
  /** Texts of flags that were given, by variable. */
  flags: Partial<Record<VariableName, string>>;
  environment: NodeJS.ProcessEnv;
  /** Holds `.env`; relative paths start here. */
  workingFolder: string;
}

/** All settings, each parsed when the program starts, with where it came from. */
export class Settings {
  readonly #sources: SettingSources;
  readonly #values = new Map<VariableName, unknown>();
  readonly #origins = new Map<VariableName, Origin>();

  /** @throws {ConfigError} on the first malformed value */
  constructor(sources: SettingSources) {
    this.#sources = sources;
    const { flags, environment, workingFolder } = sources;
    const dotenv = readDotenv(workingFolder);
    for (const name of variableNames) {
      const sources: [Origin, string | undefined][] = [
        ["flag", flags[name]],
        ["environment", environment[name]],
        [".env", dotenv[name]],
        ["default", (variables[name] as Variable).fallback?.(environment)],
      ];
      // An empty text means: not set. Shells and cron files make it easy to export one by mistake.
      const [origin, text] =
        sources.find(([, candidate]) => candidate?.trim()) ?? (["not set", undefined] as const);
      this.#origins.set(name, origin);
      if (text !== undefined) this.#values.set(name, parse(name, text.trim(), origin, workingFolder));
    }
  }

  /** The value in force, or `undefined` where none is set and there is no default. */
  find<Name extends VariableName>(name: Name): Value<Name> | undefined {
    return this.#values.get(name) as Value<Name> | undefined;
  }

  /** The value in force. @throws {ConfigError} where none is set */
  get<Name extends VariableName>(name: Name): Value<Name> {
    const value = this.find(name);
    if (value === undefined) throw missing(name);
    return value;
  }

  /** The same settings with some replaced, as if given as flags. */
  with(flags: SettingSources["flags"]): Settings {
    return new Settings({ ...this.#sources, flags: { ...this.#sources.flags, ...flags } });
  }

  originOf(name: VariableName): Origin {
    return this.#origins.get(name) ?? "not set";
  }
}

function readDotenv(folder: string): NodeJS.Dict<string> {
  const path = resolve(folder, ".env");
  if (!existsSync(path)) return {};
  try {
    return parseEnv(readFileSync(path, "utf8"));
  } catch (cause) {
    throw new ConfigError(".env", `${path} can't be read: ${(cause as Error).message}`, { cause });
  }
}

function parse(name: VariableName, text: string, origin: Origin, workingFolder: string): unknown {
  const { parser, isPath, isSecret } = variables[name] as Variable;
  const value = parser.parse(text);
  if (value === undefined) {
    const source = origin === "flag" ? `${flagOf(name)} (${name})` : `${name} (from ${origin})`;
    const shown = isSecret ? "malformed" : JSON.stringify(text);
    throw new ConfigError(name, `${source} is ${shown}; accepted: ${parser.accepted}.`);
  }
  return isPath ? resolve(workingFolder, text) : value;
}

function missing(name: VariableName): ConfigError {
  const { description } = variables[name] as Variable;
  const flag = flagOf(name);
  return new ConfigError(
    name,
    `${name} is not set (${description}). Set it in the environment or in .env${flag ? `, or give ${flag}` : ""}.`,
  );
}
