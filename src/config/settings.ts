import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseEnv } from "node:util";
import { VenueError } from "../util/venue-error.ts";
import { path } from "./parsers.ts";
import { toFlag, type Variable, type VariableName, variableNames, variables } from "./variables.ts";

/** Source of a value, in order of precedence. */
type Origin = "flag" | "environment" | ".env" | "default" | "not set";

type Value<Name extends VariableName> = NonNullable<ReturnType<(typeof variables)[Name]["parser"]["parse"]>>;

interface SettingSources {
  /** Values of the given flags, keyed by variable. */
  flags: Partial<Record<VariableName, string>>;
  environment: NodeJS.ProcessEnv;
  /** Folder that contains `.env`, and that relative paths are resolved against. */
  workingFolder: string;
  /**
   * True if malformed values throw only when used, so that all settings can be shown.
   * @default false
   */
  isLenient?: boolean;
}

/** A variable that is not a known setting, and its source. */
export interface UnknownSetting {
  name: string;
  origin: Origin;
}

/** All settings with their sources, parsed when the program starts. */
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
      // Treats an empty value as not set, because it is easily exported by mistake in shells and cron files.
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

  /** Returns the effective value; `undefined` if there is neither a value nor a default. */
  find<Name extends VariableName>(name: Name): Value<Name> | undefined {
    return this.#values.get(name) as Value<Name> | undefined;
  }

  /** Returns the effective value. @throws {ConfigError} if it is missing or malformed */
  get<Name extends VariableName>(name: Name): Value<Name> {
    const value = this.find(name);
    if (value === undefined)
      throw this.findProblem(name) ?? createMissingError(name, this.#sources.workingFolder);
    return value;
  }

  /** Returns the error for a malformed value that `isLenient` tolerated. */
  findProblem(name: VariableName): ConfigError | undefined {
    return this.#problems.get(name);
  }

  /** Lists `VENUE_…` variables that are not settings, and are probably typos. */
  listUnknownSettings(): UnknownSetting[] {
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

  /** Lists other programs' variables in `.env`, for S3 and proxies, that the environment does not set. */
  listSharedVariables(): NodeJS.Dict<string> {
    const { environment, workingFolder } = this.#sources;
    const found = Object.entries(readDotenv(workingFolder));
    return Object.fromEntries(
      found.filter(([name]) => /^(AWS_|(https?|no)_proxy$)/i.test(name) && !environment[name]),
    );
  }

  /** Returns these settings with some values replaced, as if by flags. */
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
    // Removes the byte order mark that some editors add, which would become part of the first name.
    return parseEnv(readFileSync(path, "utf8").replace(/^\ufeff/, ""));
  } catch (cause) {
    throw new ConfigError(".env", `${path} can't be read: ${(cause as Error).message}`, { cause });
  }
}

function parse(name: VariableName, text: string, origin: Origin, workingFolder: string): unknown {
  const { parser, isSecret } = variables[name] as Variable;
  const value = parser.parse(text);
  if (value === undefined) {
    const source = origin === "flag" ? `${toFlag(name)} (${name})` : `${name} (from ${origin})`;
    const shown = isSecret ? "malformed" : JSON.stringify(redactSecrets(text));
    throw new ConfigError(name, `${source} is ${shown}. It takes ${parser.accepted}.`);
  }
  return parser === path ? resolve(workingFolder, text) : value;
}

/** Removes users, passwords and queries from a URL for messages. */
function redactSecrets(text: string): string {
  // Matches up to the last `@`, because passwords may contain characters that are not valid there.
  return text.replace(/^([a-z]+:\/\/)?.*@/is, "$1[hidden]@").replace(/\?.*$/s, "?[hidden]");
}

function createMissingError(name: VariableName, workingFolder: string): ConfigError {
  const { description } = variables[name] as Variable;
  const flag = toFlag(name);
  return new ConfigError(
    name,
    `${name} is not set (${description}). Set it in the environment or in .env (of the working folder, ${workingFolder})${flag ? `, or give ${flag}` : ""}.`,
  );
}

/** A setting is missing or malformed. The message includes the accepted values, but no secret. */
export class ConfigError extends VenueError {
  /** E.g. `VENUE_BASE_URL`. */
  readonly variable: string;

  constructor(variable: string, message: string, options?: ErrorOptions) {
    super("INVALID_CONFIGURATION", "usage", message, options);
    this.variable = variable;
  }
}
