import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readTextFile } from "../../../config/credentials.ts";
import { prepareHome } from "../../../config/data-folder.ts";
import { ConfigError, type Settings } from "../../../config/settings.ts";
import { customName } from "../../../mart/custom/custom-file.ts";
import { renameDurably, syncToDisk } from "../../../util/files/durable-files.ts";
import { isUnencrypted, toHttpUrl } from "../../../util/http-values.ts";
import { VenueError } from "../../../util/venue-error.ts";

export const webhookForms = ["json", "slack", "teams"] as const;
export type WebhookForm = (typeof webhookForms)[number];

/** The body for a receiver that needs another message format. */
export interface BodyTemplate {
  /** With placeholders such as `{subject}`. */
  text: string;
  /** True if the values are escaped for JSON strings. */
  isJson: boolean;
}

/** The URL is a secret: whoever knows it can send messages. */
export type Webhook = { url: string } & ({ form: WebhookForm } | { form: "body"; body: BodyTemplate });

/** Hosts of chats that reject all our forms with status 400. A form that the user specifies is still used. */
const otherForms = /^(chat\.googleapis|(.+\.)?discord(app)?)\.com$/;

/** @throws {ConfigError} if no webhook has this name, or the list can't be read */
export function getWebhook(settings: Settings, name: string): Webhook & { name: string } {
  const webhook = readWebhooks(settings).get(name);
  if (webhook) return { name, ...webhook };
  throw new ConfigError("VENUE_HOME", `The webhook ${name} is not stored. Add it: venue notify add ${name}`);
}

/** Reads `webhooks.json` in `VENUE_HOME`, by name. @throws {ConfigError} if it can't be read */
function readWebhooks(settings: Settings): Map<string, Webhook> {
  const path = join(settings.get("VENUE_HOME"), "webhooks.json");
  if (!existsSync(path)) return new Map();
  const stored = parse(readTextFile("VENUE_HOME", path));
  if (stored) return stored;
  throw new ConfigError(
    "VENUE_HOME",
    `${path} does not list webhooks. Remove it, and add each again: venue notify add NAME`,
  );
}

/**
 * Stores the URL of a webhook, replacing one of the same name.
 * @param form guessed from the URL's host if absent
 * @throws {VenueError} `WEBHOOK` if the name or the URL can't be used
 */
export function addWebhook(
  settings: Settings,
  name: string,
  text: string,
  { form, body }: { form?: WebhookForm | undefined; body?: BodyTemplate | undefined } = {},
): Webhook["form"] {
  if (!customName.test(name))
    throw webhookError(
      `${JSON.stringify(name)} is not a valid webhook name. Use lower-case letters, digits, - and _, beginning with a letter.`,
    );
  // The URL parser would silently remove line breaks.
  const url = /\s/.test(text.trim()) ? undefined : toHttpUrl(text.trim());
  if (!url || url.username || url.password)
    throw webhookError("That is not the URL of a webhook. It takes one https URL. Nothing was stored.");
  if (isUnencrypted(url))
    throw webhookError("The URL of a webhook must begin with https://. Nothing was stored.");
  if (form === undefined && body === undefined && otherForms.test(url.hostname))
    throw webhookError(
      `${url.hostname} accepts only its own message format. Write it to a file, such as {"content": "{subject}"}, and pass --body FILE. Nothing was stored.`,
    );
  const webhook: Webhook = body
    ? { url: url.href, form: "body", body }
    : { url: url.href, form: form ?? guessForm(url) };
  write(settings, readWebhooks(settings).set(name, webhook));
  return webhook.form;
}

/** @throws {VenueError} `WEBHOOK` if no webhook has this name */
export function removeWebhook(settings: Settings, name: string): void {
  const webhooks = readWebhooks(settings);
  if (!webhooks.delete(name)) {
    const known = [...webhooks.keys()].sort().join(", ") || "none";
    throw webhookError(`The webhook ${JSON.stringify(name)} is not stored. Stored: ${known}.`);
  }
  write(settings, webhooks);
}

function guessForm({ hostname }: URL): WebhookForm {
  if (hostname === "hooks.slack.com") return "slack";
  return /\.(webhook\.office|logic\.azure|powerplatform)\.com$/.test(hostname) ? "teams" : "json";
}

function write(settings: Settings, webhooks: ReadonlyMap<string, Webhook>): void {
  const path = join(prepareHome(settings.get("VENUE_HOME")), "webhooks.json");
  // `venue doctor --repair` removes it if it is left over.
  const temporary = `${path}.${process.pid}.unfinished`;
  try {
    const text = JSON.stringify(Object.fromEntries(webhooks), undefined, 2);
    writeFileSync(temporary, `${text}\n`, { mode: 0o600 });
    syncToDisk(temporary);
    renameDurably(temporary, path);
  } catch (cause) {
    const message = `${path} can't be written: ${(cause as Error).message}. Make its folder writable.`;
    throw new ConfigError("VENUE_HOME", message, { cause });
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** Returns `undefined` if the text is not a valid list of webhooks. */
function parse(text: string): Map<string, Webhook> | undefined {
  try {
    const entries = Object.entries(
      JSON.parse(text) as Record<string, Partial<Webhook & { body: BodyTemplate }>>,
    );
    const isValid = entries.every(
      ([, { url = "", form, body }]) =>
        toHttpUrl(url) &&
        (form === "body" ? body !== undefined : webhookForms.some((known) => known === form)),
    );
    return isValid && !text.trimStart().startsWith("[") ? new Map(entries as [string, Webhook][]) : undefined;
  } catch {
    // The parser's message is not used, because it quotes the text, which may contain a URL.
    return undefined;
  }
}

function webhookError(message: string): VenueError {
  return new VenueError("WEBHOOK", "usage", message);
}
