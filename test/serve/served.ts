import { request } from "node:http";
import { onTestFinished } from "vitest";
import { Settings } from "../../src/config/settings.ts";
import { type ServeOptions, type RunningServer as Serving, serve } from "../../src/serve/serve.ts";
import type { Logger } from "../../src/util/logger.ts";
import { demoNow, shareDemoData } from "../support/shared-demo.ts";

export interface Served extends Serving {
  warnings: string[];
}

/** Serves the demo's data, or another folder's, until `close`; by default to every user of this machine. */
export async function startServer({
  dataFolder,
  customFolder,
  publicUrl,
  ...options
}: Partial<ServeOptions> & {
  dataFolder?: string;
  customFolder?: string;
  publicUrl?: string;
} = {}): Promise<Served> {
  const workingFolder = dataFolder ?? (await shareDemoData());
  const environment = {
    VENUE_DATA_DIR: workingFolder,
    VENUE_THREADS: "2",
    ...(customFolder !== undefined && { VENUE_OWN_DIR: customFolder }),
    ...(publicUrl !== undefined && { VENUE_PUBLIC_URL: publicUrl }),
  };
  const warnings: string[] = [];
  const logger: Logger = { debug: () => {}, info: () => {}, warn: (message) => warnings.push(message) };
  const listener = await serve({
    settings: new Settings({ flags: {}, environment, workingFolder }),
    now: () => demoNow,
    logger,
    host: "127.0.0.1",
    port: 0,
    withoutToken: true,
    ...options,
  });
  return { ...listener, warnings };
}

/** `startServer`, closed when the test ends. */
export async function serveForTest(options: Parameters<typeof startServer>[0] = {}): Promise<Served> {
  const server = await startServer(options);
  onTestFinished(async () => await server.close());
  return server;
}

export interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

/** Requests a path exactly as written, which `fetch` would not do. */
export async function ask(
  origin: string,
  path: string,
  { method = "GET", headers = {} }: { method?: string; headers?: Record<string, string> } = {},
): Promise<Answer> {
  const { hostname, port } = new URL(origin);
  return await new Promise((resolve, reject) => {
    const outgoing = request({ hostname, port, path, method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(chunks).toString(),
        }),
      );
    });
    outgoing.on("error", reject);
    outgoing.end();
  });
}

/** Targets of all links of a page that stay on its server, without the origin. */
export function linksOf(text: string): string[] {
  const hrefs = Array.from(text.matchAll(/<a [^>]*?href="([^"]*)"/g), ([, href = ""]) => decode(href));
  return [...new Set(hrefs)].filter((href) => href.startsWith("/"));
}

/** The fields that a page's form sends if nothing is changed. */
export function formOf(text: string): string[] {
  return Array.from(
    text.matchAll(/<form class="bar"[^>]* action="([^"]*)"[\s\S]*?<\/form>/g),
    ([form, action]) => {
      const sent = new URLSearchParams();
      for (const [input] of form.matchAll(/<input [^>]*>/g)) {
        if (input.includes('type="checkbox"') && !input.includes(" checked")) continue;
        const [, name = ""] = /name="([^"]*)"/.exec(input) ?? [];
        const [, value = ""] = /value="([^"]*)"/.exec(input) ?? [];
        sent.append(decode(name), decode(value));
      }
      return `${action}?${sent}`;
    },
  );
}

/** Decodes the entities of an attribute's value. */
export function decode(text: string): string {
  return text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");
}
