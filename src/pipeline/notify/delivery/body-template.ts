import { readSmallFile } from "../../../util/read-small-file.ts";
import { fillPlaceholders, listPlaceholders } from "../../../util/text/placeholders.ts";
import { getErrorMessage, VenueError } from "../../../util/venue-error.ts";
import type { Message } from "./message.ts";
import { renderMail } from "./render-message.ts";
import type { BodyTemplate } from "./webhooks.ts";

type Field = "subject" | "text" | "status" | "count" | "link" | "id";

/** Sample values that are valid in JSON strings. The number is also valid without quotes. */
const examples: Readonly<Record<Field, string>> = {
  ...{ subject: "1 device down", text: "Devices\n", status: "problem" },
  ...{ count: "1", link: "", id: "1" },
};

/** @throws {VenueError} `WEBHOOK` if a file has no or unknown placeholders, or a file `….json` is not JSON */
export async function readTemplate(path: string, signal: AbortSignal): Promise<BodyTemplate> {
  const bytes = await readSmallFile(path, signal).catch((error: unknown) => {
    throw templateError(`${path} can't be read: ${getErrorMessage(error)}.`);
  });
  const text = bytes.toString();
  const names = listPlaceholders(text);
  const known = Object.keys(examples).map((name) => `{${name}}`);
  const unknown = names.find((name) => !Object.hasOwn(examples, name));
  if (unknown !== undefined || names.length === 0)
    throw templateError(
      `${path} has ${unknown === undefined ? "no placeholder" : `an unknown placeholder, {${unknown}}`}. Known: ${known.join(", ")}.`,
    );
  const template = { text, isJson: /\.json$/i.test(path) };
  try {
    if (template.isJson) JSON.parse(fill(template, examples));
  } catch {
    throw templateError(
      `${path} is not JSON when it is filled in. Put placeholders in quotes, except {count}.`,
    );
  }
  return template;
}

/** Fills in a template. The status is `problem`, `over` if all incidents are over, or `report` for whole views. */
export function fillTemplate(template: BodyTemplate, { id, digest }: Pick<Message, "id" | "digest">): string {
  const { subject, text } = renderMail(digest);
  const tables = digest.sections.flatMap((section) => section.tables);
  const changed = tables.filter(({ change }) => change !== undefined);
  const problems = changed.filter(({ change }) => change !== "over");
  const counted = problems.length > 0 ? problems : changed.length > 0 ? changed : tables;
  const count = counted.reduce((sum, { rows, omitted }) => sum + rows.length + omitted, 0);
  const status = problems.length > 0 ? "problem" : changed.length > 0 ? "over" : "report";
  const link = digest.sections.find((section) => section.link !== undefined)?.link ?? "";
  return fill(template, { subject, text, status, count: `${count}`, link, id });
}

function fill({ text, isJson }: BodyTemplate, values: Readonly<Record<Field, string>>): string {
  return fillPlaceholders(text, values, (value) => (isJson ? JSON.stringify(value).slice(1, -1) : value));
}

function templateError(message: string): VenueError {
  return new VenueError("WEBHOOK", "usage", `${message} Nothing was stored.`);
}
