import { NessieError } from "../errors.ts";
import type { RemoteOptions } from "../remote/remote-service.ts";
import {
  commitResponse,
  entriesResponse,
  historyResponse,
  mergeResponse,
  type NessieRequest,
  NessieRequests,
  referenceResponse,
  referencesResponse,
  tableResponse,
  tablesResponse,
} from "./nessie-requests.ts";

/** State of all tables: a branch at one of its commits. */
export interface NessieVersion {
  branch: string;
  hash: string;
}

export interface NessieCommit {
  hash: string;
  message: string;
  /** ISO 8601, in UTC. */
  committedAt: string;
  properties: Record<string, string>;
}

export interface IcebergTable {
  /** Decimal digits as text, because the id exceeds 2^53. */
  snapshotId: string;
  metadataLocation: string;
}

export interface MergeOptions {
  message: string;
  properties?: Readonly<Record<string, string>>;
}

/**
 * Client of Nessie, a catalog with versioned tables in branches. Uses version 2 of the REST API. Every method
 * throws {@link NessieError} on a refusal, and a `NESSIE_UNREACHABLE` error if Nessie cannot be reached.
 */
export class Nessie {
  readonly #requests: NessieRequests;

  /** @param options with the server's `url`, without a path. @throws {VenueError} `REMOTE_ADDRESS` */
  constructor(options: RemoteOptions) {
    this.#requests = new NessieRequests(options);
  }

  async listBranches(): Promise<NessieVersion[]> {
    const request: NessieRequest = { method: "GET", path: "/trees", repeat: "always" };
    const { references } = await this.#requests.get("list its branches", request, referencesResponse);
    return references
      .filter(({ type }) => type === "BRANCH")
      .map(({ name, hash }) => ({ branch: name, hash }));
  }

  async findBranch(branch: string): Promise<NessieVersion | undefined> {
    try {
      return await this.getBranch(branch);
    } catch (error) {
      if (error instanceof NessieError && error.errorCode === "REFERENCE_NOT_FOUND") return undefined;
      throw error;
    }
  }

  async getBranch(branch: string): Promise<NessieVersion> {
    const request: NessieRequest = { method: "GET", path: buildTreePath(branch), repeat: "always" };
    const { reference } = await this.#requests.get(`show the branch ${branch}`, request, referenceResponse);
    return { branch, hash: reference.hash };
  }

  async createBranch(branch: string, from: NessieVersion): Promise<NessieVersion> {
    const path = `/trees?name=${encodeURIComponent(branch)}&type=BRANCH`;
    const request: NessieRequest = { method: "POST", path, body: toBranch(from), repeat: "ifNotExecuted" };
    const { reference } = await this.#requests.get(`create the branch ${branch}`, request, referenceResponse);
    return { branch, hash: reference.hash };
  }

  /** Resets a branch from state `from` to state `to`. Commits that exist only on this branch are lost. */
  async resetBranch(from: NessieVersion, to: NessieVersion): Promise<NessieVersion> {
    const path = `${buildTreePath(from)}?type=BRANCH`;
    const request: NessieRequest = { method: "PUT", path, body: toBranch(to), repeat: "ifNotExecuted" };
    const { reference } = await this.#requests.get(
      `reset the branch ${from.branch}`,
      request,
      referenceResponse,
    );
    return { branch: from.branch, hash: reference.hash };
  }

  /** Deletes a branch if it is still at `version`. */
  async deleteBranch(version: NessieVersion): Promise<void> {
    const request: NessieRequest = {
      method: "DELETE",
      path: `${buildTreePath(version)}?type=BRANCH`,
      repeat: "ifNotExecuted",
    };
    await this.#requests.get(`delete the branch ${version.branch}`, request, referenceResponse);
  }

  /**
   * Creates a namespace (a schema in Trino) in a separate commit. An empty repository needs such a commit,
   * because branches can be merged only if they share a commit.
   */
  async createNamespace(at: NessieVersion, name: string, message: string): Promise<NessieVersion> {
    const operation = {
      type: "PUT",
      key: { elements: [name] },
      content: { type: "NAMESPACE", elements: [name] },
    };
    const request: NessieRequest = {
      method: "POST",
      path: `${buildTreePath(at)}/history/commit`,
      body: { commitMeta: { message }, operations: [operation] },
      repeat: "ifNotExecuted",
    };
    const { targetBranch } = await this.#requests.get(
      `create the namespace ${name}`,
      request,
      commitResponse,
    );
    return { branch: at.branch, hash: targetBranch.hash };
  }

  /**
   * Merges all changes of `from` into `into`, in one commit. Idempotent.
   * @throws {NessieError} `REFERENCE_CONFLICT` if the same tables changed on both branches
   */
  async merge(
    from: NessieVersion,
    into: NessieVersion,
    { message, properties = {} }: MergeOptions,
  ): Promise<NessieVersion> {
    const request: NessieRequest = {
      method: "POST",
      path: `${buildTreePath(into)}/history/merge`,
      body: { fromRefName: from.branch, fromHash: from.hash, message, commitMeta: { message, properties } },
      repeat: "always",
    };
    const merged = await this.#requests.get(
      `merge ${from.branch} into ${into.branch}`,
      request,
      mergeResponse,
    );
    return { branch: into.branch, hash: merged.resultantTargetHash };
  }

  /** Yields the commits of a branch, newest first. */
  async *commits(from: string | NessieVersion): AsyncGenerator<NessieCommit> {
    const pages = this.#requests.pages("list commits", `${buildTreePath(from)}/history`, historyResponse);
    for await (const { logEntries } of pages) {
      for (const { commitMeta } of logEntries) {
        const { hash, message, commitTime, allProperties } = commitMeta;
        const properties = Object.entries(allProperties).map(([name, [value = ""]]) => [name, value]);
        yield { hash, message, committedAt: commitTime, properties: Object.fromEntries(properties) };
      }
    }
  }

  /** Lists the tables of a version as `namespace.table`, sorted. */
  async listTables(of: string | NessieVersion): Promise<string[]> {
    return await this.#listEntries("tables", "ICEBERG_TABLE", of);
  }

  /** Lists the namespaces of a version, sorted. */
  async listNamespaces(of: string | NessieVersion): Promise<string[]> {
    return await this.#listEntries("namespaces", "NAMESPACE", of);
  }

  async #listEntries(what: string, type: string, of: string | NessieVersion): Promise<string[]> {
    const path = `${buildTreePath(of)}/entries`;
    const names: string[] = [];
    for await (const { entries } of this.#requests.pages(`list ${what}`, path, entriesResponse)) {
      const found = entries.filter((entry) => entry.type === type);
      names.push(...found.map(({ name }) => name.elements.join(".")));
    }
    return names.sort();
  }

  /** Returns a table in a version. @param name `namespace.table` */
  async getTable(at: string | NessieVersion, name: string): Promise<IcebergTable> {
    const path = `${buildTreePath(at)}/contents/${encodeURIComponent(name)}`;
    const request: NessieRequest = { method: "GET", path, repeat: "always" };
    const { content } = await this.#requests.get(`show the table ${name}`, request, tableResponse);
    return toTable(content);
  }

  /** Returns all tables of a version, keyed by `namespace.table`. */
  async getTables(at: string | NessieVersion): Promise<Map<string, IcebergTable>> {
    const filter = encodeURIComponent("entry.contentType == 'ICEBERG_TABLE'");
    const path = `${buildTreePath(at)}/entries?content=true&filter=${filter}`;
    const tables = new Map<string, IcebergTable>();
    for await (const { entries } of this.#requests.pages("show its tables", path, tablesResponse)) {
      for (const { name, content } of entries) tables.set(name.elements.join("."), toTable(content));
    }
    return tables;
  }

  /** Closes all connections; pending requests fail. */
  close(): void {
    this.#requests.close();
  }
}

function buildTreePath(version: string | NessieVersion): string {
  const reference = typeof version === "string" ? version : `${version.branch}@${version.hash}`;
  return `/trees/${encodeURIComponent(reference)}`;
}

function toTable({ snapshotId, metadataLocation }: IcebergTable): IcebergTable {
  return { snapshotId, metadataLocation };
}

function toBranch({ branch, hash }: NessieVersion): object {
  return { type: "BRANCH", name: branch, hash };
}
