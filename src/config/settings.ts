import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseEnv } from "node:util";
import { VenueError } from "../util/venue-error.ts";
import { path } from "./parsers.ts";
import { flagOf, type Variable, type VariableName, variableNames, variables } from "./variables.ts";

/** Where a value came from, strongest first. */
type Origin = "flag" | "environment" | ".env" | "default" | "not set";

type Value<Name extends VariableName> = NonNullable<ReturnType<(typeof variables)[Name]["parser"]["parse"]>>;

interface SettingSources {
  /** Texts of flags that were given, by variable. */
  flags: Partial<Record<VariableName, string>>;
  environment: NodeJS.ProcessEnv;
  /** Holds `.env`; relative paths start here. */
  workingFolder: string;
  /** Malformed values throw when they are used, not at once: to show all of them. @default false */
  isLenient?: boolean;
}

/** A variable that is no setting, and where it is set. */
export interface Stranger {
  name: string;
  origin: Origin;
}

/** All settings, each parsed when the program starts, with where it came from. */
export class Settings {
  readonly #sources: SettingSources;
  readonly #values = new Map<VariableName, unknown>();
  readonly #origins = new Map<VariableName, Origin>();

  readonly #problems = new Map<VariableName, ConfigError>();

  /** @throws {ConfigError} on the first malformed value */
  constructor(sources: SettingSources) {
    this.#sources = sources;
    this.#read(sources);
    for (const problem of this.#problems.values()) if (!sources.isLenient) throw problem;
  }

  #read({ flags, environment, workingFolder }: SettingSources): void {
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
      if (text === undefined) continue;
      try {
        this.#values.set(name, parse(name, text.trim(), origin, workingFolder));
      } catch (error) {
        if (!(error instanceof ConfigError)) throw error;
        this.#problems.set(name, error);
      }
    }
  }

  /** The value in force, or `undefined` where none is set and there is no default. */
  find<Name extends VariableName>(name: Name): Value<Name> | undefined {
    return this.#values.get(name) as Value<Name> | undefined;
  }

  /** The value in force. @throws {ConfigError} where none is set, or a malformed one */
  get<Name extends VariableName>(name: Name): Value<Name> {
    const value = this.find(name);
    if (value === undefined) throw this.findProblem(name) ?? missing(name, this.#sources.workingFolder);
    return value;
  }

  /** What is wrong with a variable's value, where `isLenient` let it pass. */
  findProblem(name: VariableName): ConfigError | undefined {
    return this.#problems.get(name);
  }

  /** What is named like a setting and is none: probably a slip. */
  listStrangers(): Stranger[] {
    const { environment, workingFolder } = this.#sources;
    const origins: [Origin, NodeJS.Dict<string>][] = [
      ["environment", environment],
      [".env", readDotenv(workingFolder)],
    ];
    return origins.flatMap(([origin, values]) =>
      Object.keys(values)
        .filter((name) => name.startsWith("VENUE_") && !Object.hasOwn(variables, name))
        .map((name) => ({ name, origin })),
    );
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
    // The byte order mark that some editors write would become a part of the first name.
    return parseEnv(readFileSync(path, "utf8").replace(/^\ufeff/, ""));
  } catch (cause) {
    throw new ConfigError(".env", `${path} can't be read: ${(cause as Error).message}`, { cause });
  }
}

function parse(name: VariableName, text: string, origin: Origin, workingFolder: string): unknown {
  const { parser, isSecret } = variables[name] as Variable;
  const value = parser.parse(text);
  if (value === undefined) {
    const source = origin === "flag" ? `${flagOf(name)} (${name})` : `${name} (from ${origin})`;
    const shown = isSecret ? "malformed" : JSON.stringify(withoutSecrets(text));
    throw new ConfigError(name, `${source} is ${shown}. It takes ${parser.accepted}.`);
  }
  return parser === path ? resolve(workingFolder, text) : value;
}

/** An address as it may be shown: users, passwords and queries are no business of a message. */
function withoutSecrets(text: string): string {
  // Passwords may hold what would end one in an address that is well-formed.
  return text.replace(/^([a-z]+:\/\/)?.*@/is, "$1[hidden]@").replace(/\?.*$/s, "?[hidden]");
}

function missing(name: VariableName, workingFolder: string): ConfigError {
  const { description } = variables[name] as Variable;
  const flag = flagOf(name);
  return new ConfigError(
    name,
    `${name} is not set (${description}). Set it in the environment or in .env (of the working folder, ${workingFolder})${flag ? `, or give ${flag}` : ""}.`,
  );
}

/** A setting is missing or malformed. Names the variable and what is accepted; shows no secret's value. */
export class ConfigError extends VenueError {
  /** E.g. `VENUE_BASE_URL`. */
  readonly variable: string;

  constructor(variable: string, message: string, options?: ErrorOptions) {
    super("INVALID_CONFIGURATION", "usage", message, options);
    this.variable = variable;
  }
}
