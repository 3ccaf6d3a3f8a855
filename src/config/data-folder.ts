import { accessSync, constants } from "node:fs";
import { join, relative } from "node:path";
import { findUnsupportedCharacter, makeFolder } from "../util/files/folders.ts";
import { ConfigError, type Settings } from "./settings.ts";

/** The layout of `VENUE_DATA_DIR`. All paths are absolute. */
export class DataFolder {
  readonly root: string;

  constructor(root: string) {
    this.root = root;
  }

  get stateFile(): string {
    return join(this.root, "state.db");
  }
  /** Log of requests with customer tokens. */
  get shareLog(): string {
    return join(this.root, "shares.log");
  }
  /** The private key that signs proofs; a secret. */
  get proofKey(): string {
    return join(this.root, "proof-key.pem");
  }
  get warehouseFile(): string {
    return join(this.root, "warehouse.duckdb");
  }
  get landing(): string {
    return join(this.root, "landing");
  }
  get published(): string {
    return join(this.root, "published");
  }
  get reports(): string {
    return join(this.root, "reports");
  }
  get reference(): string {
    return join(this.root, "reference");
  }
  get own(): string {
    return join(this.root, "own");
  }
  /** Versions of `core`, published with `--layer core`. */
  get publishedCore(): string {
    return join(this.root, "published-core");
  }
  get temp(): string {
    return join(this.root, "tmp");
  }

  /** Returns a path relative to the root, for messages and state, so that the data folder can be moved. */
  relativePath(path: string): string {
    return relative(this.root, path);
  }

  resolve(path: string): string {
    return join(this.root, path);
  }

  /**
   * Creates the folder and its subfolders.
   * @throws {ConfigError} if a folder can't be created or written to, or DuckDB would misread its path
   */
  prepare(): this {
    const odd = findUnsupportedCharacter(this.root);
    if (odd !== undefined) {
      throw new ConfigError(
        "VENUE_DATA_DIR",
        `The folder ${this.root} can't be used: DuckDB misreads a path with a ${odd} in it. Set VENUE_DATA_DIR to another folder.`,
      );
    }
    prepareFolder("VENUE_DATA_DIR", this.root);
    for (const folder of [this.landing, this.published, this.reports, this.temp]) {
      prepareFolder("VENUE_DATA_DIR", folder);
    }
    return this;
  }
}

/** Returns the folder of custom reports and checks. It need not exist. */
export function customFolderOf(settings: Settings): string {
  return settings.find("VENUE_OWN_DIR") ?? new DataFolder(settings.get("VENUE_DATA_DIR")).own;
}

/** Returns the file with the private key that signs proofs. */
export function proofKeyFileOf(settings: Settings): string {
  return new DataFolder(settings.get("VENUE_DATA_DIR")).proofKey;
}

/**
 * Creates `VENUE_HOME` with access for this user only.
 * @throws {ConfigError} if it can't be created or written to
 */
export function prepareHome(path: string): string {
  return prepareFolder("VENUE_HOME", path, 0o700);
}

function prepareFolder(variable: "VENUE_DATA_DIR" | "VENUE_HOME", path: string, mode?: number): string {
  try {
    makeFolder(path, mode);
    accessSync(path, constants.W_OK);
    return path;
  } catch (cause) {
    throw new ConfigError(
      variable,
      `The folder ${path} can't be used: ${(cause as Error).message}. Make it writable, or set ${variable} to another folder.`,
      { cause },
    );
  }
}

/** Limits of one custom report or check. */
export interface CustomLimits {
  seconds: number;
  /** DuckDB's memory limit, e.g. `600MB`. */
  memoryLimit: string;
}

export function customLimitsOf(settings: Settings): CustomLimits {
  return { seconds: settings.get("VENUE_OWN_SECONDS"), memoryLimit: settings.get("VENUE_MEMORY_LIMIT") };
}
