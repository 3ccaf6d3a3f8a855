import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { basename, dirname, join } from "node:path";
import { packageRoot } from "../../src/util/files/package-files.ts";
import { shippedPackages } from "./locked-packages.ts";

const tarFlags = ["-cf", "-", "--exclude=*/node_modules", "-C"];

/**
 * A local package registry that serves users' dependencies from `node_modules`: npm installs from it as from
 * the real one, without a network. It lists packages for other platforms but does not have them.
 */
export class LocalRegistry {
  readonly #server: Server;
  readonly #packages = shippedPackages();

  private constructor() {
    this.#server = createServer(({ url = "" }, response) => {
      const [, name = "", number] = /^\/(.*?)(?:\/-\/(\d+))?$/.exec(decodeURIComponent(url)) ?? [];
      if (number === undefined) this.#describe(name, response);
      else this.#send(Number(number), response);
    });
  }

  static async start(): Promise<LocalRegistry> {
    const registry = new LocalRegistry();
    await new Promise<void>((resolve) => registry.#server.listen(0, "127.0.0.1", resolve));
    return registry;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Describes the available versions, from the lock file. */
  #describe(name: string, response: ServerResponse): void {
    const versions = this.#packages.flatMap((locked, number) =>
      locked.name === name
        ? [[locked.version, { ...locked, dist: { tarball: `${this.url}/${name}/-/${number}` } }] as const]
        : [],
    );
    const latest = versions.at(-1)?.[0];
    if (latest === undefined) response.writeHead(404).end("{}");
    else
      response.end(JSON.stringify({ name, "dist-tags": { latest }, versions: Object.fromEntries(versions) }));
  }

  /** npm removes the first folder, whatever its name, and does not need compression. */
  #send(number: number, response: ServerResponse): void {
    const folder = join(packageRoot, this.#packages[number]?.path ?? "none");
    if (!existsSync(folder)) response.writeHead(404).end("{}");
    else spawn("tar", [...tarFlags, dirname(folder), basename(folder)]).stdout.pipe(response);
  }
}
