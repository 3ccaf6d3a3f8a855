import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import bundled from "@sparticuz/chromium";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";

/** Where the browser that came as a package is unpacked to, once. */
const cache = fileURLToPath(new URL("../../node_modules/.cache/venue-browser/", import.meta.url));

/** Starts a real browser, without a window. `CHROMIUM` names another one. */
export async function startBrowser(): Promise<{ browser: Browser; stop(): Promise<void> }> {
  const executablePath = process.env.CHROMIUM ?? (await unpackedBrowser());
  // It does not always take away its own temporary files.
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
  // Several test files may do this at the same time: each unpacks for itself, and one of them stays.
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
  /** What the page said on the console, and what it threw: errors, refused styles and scripts, all of it. */
  said: string[];
  /** Addresses that it asked for, beside its own file. */
  requests: string[];
}

/** Opens a file as a reader would. */
export async function openPage(
  browser: Browser,
  file: string,
  options: BrowserContextOptions = {},
): Promise<OpenedPage> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const [said, requests]: [string[], string[]] = [[], []];
  const address = pathToFileURL(file).href;
  page.on("console", (message) => said.push(message.text()));
  page.on("pageerror", (error) => said.push(error.message));
  page.on("request", (request) => {
    if (request.url() !== address) requests.push(request.url());
  });
  await page.goto(address);
  return { page, said, requests };
}
