import { existsSync } from "node:fs";
import type { Command } from "commander";
import { DataFolder } from "../../../config/data-folder.ts";
import type { Share } from "../../../state/data/shares.ts";
import { contentKinds, decodeKey, type Kind } from "../../../util/kind.ts";
import { countOf } from "../../../util/text/words.ts";
import { collect, oneOf, wholeNumber } from "../../arguments.ts";
import type { CliContext } from "../../cli-context.ts";

interface AddFlags {
  where?: string[];
  campaign?: string[];
  kind?: Kind;
  views: string[];
  expires?: string;
}

/** Defines `venue serve token` and `venue serve log`. */
export function defineShares(serve: Command, context: CliContext): void {
  const token = serve
    .command("token")
    .description("give other people access to some of the pages, with a token for each")
    .addHelpText("after", "\nExample:\n  $ venue serve token list\n");
  token
    .command("add")
    .description("create a token for the pages of some campaigns, and print it once")
    .argument("<name>", "lower-case letters, digits, - and _")
    .option("--where <attribute=values>", "only campaigns with these values, e.g. advertiser=Acme", collect)
    .option("--campaign <ids>", "only these campaigns, by name or id; comma-separated", collect)
    .option("--kind <kind>", "kind of these campaigns: signage or messaging", oneOf(...contentKinds))
    .requiredOption("--views <names>", "pages to open, e.g. compliance,plays; comma-separated", collect)
    .option("--expires <date>", "last day on which the token works, in UTC, e.g. 2026-12-31")
    .addHelpText(
      "after",
      `
The pages show only rows of these campaigns; other campaigns that can claim the
same plays are called "another campaign". The token works at once, until it is
removed, with every venue serve --token-file on this data folder.

Example:
  $ venue serve token add acme --where advertiser=Acme --views compliance,plays
`,
    )
    .action((name: string, flags: AddFlags) => add(context, name, flags));
  token
    .command("list")
    .description("list which campaigns and pages each token opens, and until when")
    .addHelpText("after", "\nExample:\n  $ venue serve token list\n")
    .action(() => list(context));
  token
    .command("remove")
    .description("revoke a token at once")
    .argument("<name>", "name of the token")
    .addHelpText("after", "\nExample:\n  $ venue serve token remove acme\n")
    .action((name: string) => remove(context, name));
  token
    .command("enable")
    .description("enable tokens again that a restore has disabled")
    .argument("<name...>", "names of the tokens")
    .addHelpText("after", "\nExample:\n  $ venue serve token enable acme\n")
    .action((names: string[]) => enable(context, names));
  serve
    .command("log")
    .description("list requests with these tokens, newest last")
    .option("--share <name>", "only requests with this token")
    .option("--limit <n>", "maximum number of requests", wholeNumber(1), 100)
    .addHelpText("after", "\nExample:\n  $ venue serve log --share acme\n")
    .action((flags: { share?: string; limit: number }) => printLog(context, flags));
}

async function add(context: CliContext, name: string, flags: AddFlags): Promise<void> {
  const { addShare } = await import("../../../serve/shares/add-share.ts");
  const { settings, signal } = context;
  const now = context.clock().now();
  const { share, token, campaigns } = await addShare(settings, { name, ...flags }, { signal, now });
  context.printResult(
    { ...summarize(share), campaignsNow: campaigns, token },
    `${describe(share)}\nIt sees ${countOf(campaigns, "campaign")} now. Its token is shown only once:\n${token}`,
  );
}

async function list(context: CliContext): Promise<void> {
  const isNew = !existsSync(folderOf(context).stateFile);
  const shares = isNew ? [] : await withShares(context, (all) => all.list());
  const none = "No tokens yet. Create one with: venue serve token add NAME";
  context.printResult({ shares: shares.map(summarize) }, shares.map(describe).join("\n") || none);
}

async function remove(context: CliContext, name: string): Promise<void> {
  const known = await withShares(context, (all) => (all.remove(name) ? undefined : all.list()));
  if (known !== undefined) await rejectName(name, known);
  context.printResult({ name }, `The token ${name} is removed.`);
}

async function enable(context: CliContext, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const known = await withShares(context, (all) => (all.enable(name) ? undefined : all.list()));
    if (known !== undefined) await rejectName(name, known);
  }
  context.printResult({ names }, `Enabled: ${names.join(", ")}.`);
}

async function rejectName(name: string, known: readonly Share[]): Promise<never> {
  const { shareError } = await import("../../../serve/shares/shared-views.ts");
  const names = known.map((share) => share.name).join(", ");
  throw shareError(
    `No token is called ${JSON.stringify(name)}. ${names ? `Tokens: ${names}.` : "There are none."}`,
  );
}

async function printLog(
  context: CliContext,
  { share, limit }: { share?: string; limit: number },
): Promise<void> {
  const { listAccesses } = await import("../../../serve/shares/access-log.ts");
  const accesses = listAccesses(folderOf(context).shareLog, { share, limit });
  // The requests of a removed token are still listed.
  if (share !== undefined && accesses.length === 0) {
    const known = await withShares(context, (all) => all.list());
    if (!known.some(({ name }) => name === share)) await rejectName(share, known);
  }
  const lines = accesses.map(
    ({ at, share: name, status, address }) => `${at}  ${name}  ${status}  ${address}`,
  );
  context.printResult({ accesses }, lines.join("\n") || "No requests with these tokens yet.");
}

type Shares = import("../../../state/data/shares.ts").Shares;

async function withShares<Result>(context: CliContext, body: (shares: Shares) => Result): Promise<Result> {
  const { openDataState } = await import("../../../state/data/data-state.ts");
  const state = openDataState(folderOf(context).stateFile);
  try {
    return body(state.shares);
  } finally {
    state.close();
  }
}

function folderOf({ settings }: CliContext): DataFolder {
  return new DataFolder(settings.get("VENUE_DATA_DIR"));
}

/** Omits the hash, which is useless to readers. */
function summarize({ tokenSha256: _hash, campaigns, ...share }: Share): object {
  return { ...share, ...(campaigns && { campaigns: campaigns.map(decodeKey) }) };
}

/** E.g. `acme: compliance, plays of campaigns with advertiser=Acme, until 2026-12-31`. */
function describe({ name, views, campaigns, attributes, expiresOn, isDisabled }: Share): string {
  const named = campaigns?.map((key) => {
    const { kind, id } = decodeKey(key);
    return `${kind} ${id}`;
  });
  const values = attributes.map((attribute) => `${attribute.name}=${attribute.values.join(",")}`);
  const chosen = [
    ...(named ? [`campaigns ${named.join(", ")}`] : []),
    ...(values.length > 0 ? [`campaigns with ${values.join(" and ")}`] : []),
  ];
  const limits = [expiresOn === null ? "" : `, until ${expiresOn}`, isDisabled ? " (disabled)" : ""];
  return `${name}: ${views.join(", ")} of ${chosen.join(", ")}${limits.join("")}`;
}
