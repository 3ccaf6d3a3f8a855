import { openSqlite, parseStored, type Sqlite } from "../sqlite.ts";

/** Filter for the campaigns of a customer token. At least one condition is given; a campaign must meet all. */
export interface ShareFilter {
  /** Campaign keys. */
  campaigns?: readonly number[];
  /** Campaign attributes, each with the accepted values, as published. */
  attributes: readonly { name: string; values: readonly string[] }[];
}

/** A customer token of `venue serve`: the campaigns and pages that it may read, and its expiry date. */
export interface Share extends ShareFilter {
  name: string;
  tokenSha256: string;
  /** Report names, and `proof`. */
  views: readonly string[];
  createdAt: string;
  /** Last date in UTC on which the token is valid; null: no end. */
  expiresOn: string | null;
  /** Set by a restore: the token does not work until it is enabled. */
  isDisabled?: true;
}

interface ShareRow {
  name: string;
  token_sha256: string;
  campaigns: string | null;
  attributes: string;
  views: string;
  created_at: string;
  expires_on: string | null;
  is_disabled: number;
}

/** The customer tokens in `state.db`. */
export class Shares {
  readonly #database: Sqlite;

  constructor(database: Sqlite) {
    this.#database = database;
  }

  list(): Share[] {
    return this.#read("select * from share order by name");
  }

  /** Finds a customer token by its hash, unless it is disabled. */
  find(tokenSha256: string): Share | undefined {
    return this.#read("select * from share where token_sha256 = ? and is_disabled = 0", tokenSha256)[0];
  }

  /** Returns false if the name is taken. */
  add(share: Share): boolean {
    const { name, tokenSha256, campaigns, attributes, views, createdAt, expiresOn } = share;
    const added = this.#database.run(
      "insert into share values (?, ?, ?, ?, ?, ?, ?, 0) on conflict (name) do nothing",
      [
        name,
        tokenSha256,
        campaigns === undefined ? null : JSON.stringify(campaigns),
        JSON.stringify(attributes),
        JSON.stringify(views),
        createdAt,
        expiresOn,
      ],
    );
    return added > 0;
  }

  /** Returns false if no customer token has this name. */
  remove(name: string): boolean {
    return this.#database.run("delete from share where name = ?", [name]) > 0;
  }

  /** Returns false if no customer token has this name. */
  enable(name: string): boolean {
    return this.#database.run("update share set is_disabled = 0 where name = ?", [name]) > 0;
  }

  /** Disables all customer tokens except the listed ones. */
  disableOthers(tokensSha256: readonly string[]): void {
    this.#database.run(
      "update share set is_disabled = 1 where token_sha256 not in (select value from json_each(?))",
      [JSON.stringify(tokensSha256)],
    );
  }

  #read(sql: string, ...parameters: string[]): Share[] {
    const parse = <Value>(json: string) => parseStored<Value>(this.#database.path, json);
    return this.#database.all<ShareRow>(sql, parameters).map((row) => ({
      name: row.name,
      tokenSha256: row.token_sha256,
      ...(row.campaigns !== null && { campaigns: parse<number[]>(row.campaigns) }),
      attributes: parse<Share["attributes"]>(row.attributes),
      views: parse<string[]>(row.views),
      createdAt: row.created_at,
      expiresOn: row.expires_on,
      ...(row.is_disabled === 1 && { isDisabled: true }),
    }));
  }
}

/** Finds a customer token in an existing `state.db`. Skips the full check, because this runs for every request. */
export function findShare(stateFile: string, tokenSha256: string): Share | undefined {
  const database = openSqlite(stateFile, "state/data", { busyTimeoutMs: 1_000 });
  try {
    return new Shares(database).find(tokenSha256);
  } finally {
    database.close();
  }
}
