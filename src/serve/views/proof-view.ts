import { customFolderOf, proofKeyFileOf } from "../../config/data-folder.ts";
import { obtainProofKey } from "../../config/proof-key.ts";
import type { Settings } from "../../config/settings.ts";
import { type Address, formatAddress } from "../../report/address/address.ts";
import { joinAttributeFields } from "../../report/address/attribute-fields.ts";
import { withDefaultGrouping } from "../../report/address/drill-down.ts";
import { pinVersion, type ViewParameters } from "../../report/address/view-parameters.ts";
import { renderNavigation, renderPage } from "../../report/html/frame/render-page.ts";
import { type Html, html } from "../../report/html/html.ts";
import { listAttributes, listValues, selectAttributes } from "../../report/options/known-attributes.ts";
import { listNamedEntities } from "../../report/options/named-entities.ts";
import { formatWhere, parseWhere } from "../../report/options/parse-values.ts";
import { readBrand } from "../../report/proof/brand.ts";
import {
  buildProof,
  type ProofDocument,
  parseProofOptions,
  type TypedProofOptions,
} from "../../report/proof/build-proof.ts";
import { describeProof, type ProofContent } from "../../report/proof/describe-proof.ts";
import { renderClaim, renderFacts } from "../../report/proof/render-proof.ts";
import { formatProof } from "../../report/proof/write-proof.ts";
import type { PublishedMart } from "../../report/published/published-mart.ts";
import type { Share } from "../../state/data/shares.ts";
import { checkboxes, renderAttributes } from "../frame/bar-fields.ts";
import { renderVersionNote } from "../frame/crumbs.ts";
import { type Names, readNames } from "../frame/names.ts";
import type { Download, ViewContext } from "../readers.ts";

export const proofWords = ["campaign", "where", "kind", "from", "to"] as const;
/** If there are more campaigns, readers type them instead of picking them. */
const mostCheckboxes = 60;
const proofExtensions = ["html", "xlsx"] as const;
type ProofExtension = (typeof proofExtensions)[number];

export function isProofExtension(extension: string): extension is ProofExtension {
  return (proofExtensions as readonly string[]).includes(extension);
}

/** Renders the page from which proofs are downloaded: what a proof of these campaigns would claim. */
export async function showProof(
  parameters: ViewParameters,
  settings: Settings,
  context: ViewContext,
): Promise<string> {
  const { lease, link, custom } = context;
  const words = toProofWords(parameters);
  const document = hasCampaigns(words, context) ? await prepareProof(words, settings, context) : undefined;
  const here: Address = { view: "proof", words: toAddressWords(words) };
  const shown = { ...here.words, ...document?.scope.period };
  const form = await renderForm(shown, document === undefined, context);
  return renderPage({
    title: "Proof of play",
    version: lease.mart.version,
    isServed: true,
    body: [
      html`${renderNavigation("proof", (view) => link(withDefaultGrouping({ view, words: {} })), custom)}${renderVersionNote(lease, here)}`,
      document === undefined
        ? html`<header><h1>Proof of play</h1><p class="headline">Choose campaigns and a period.</p></header>
<main>${form}</main>`
        : html`${form}${renderDocument(document, await describeProof(document), here, lease.mart.version)}`,
    ],
  });
}

export async function createProofDownload(
  parameters: ViewParameters,
  extension: ProofExtension,
  settings: Settings,
  context: ViewContext,
): Promise<Download> {
  const document = await prepareProof(toProofWords(parameters), settings, context);
  const { from, to } = document.scope.period;
  const fileName = `proof-${from}-${to}.${extension}`;
  return {
    type:
      extension === "html"
        ? "text/html; charset=UTF-8"
        : "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    fileName,
    pieces: await formatProof(fileName, document, obtainProofKey(proofKeyFileOf(settings))),
  };
}

function toProofWords({ words }: ViewParameters): TypedProofOptions {
  const [from, to] = [words.get("from")?.[0], words.get("to")?.[0]];
  const lists = (["campaign", "where", "kind"] as const).flatMap((word) => {
    const values = [...(words.get(word) ?? []), ...(word === "where" ? joinAttributeFields(words) : [])];
    return values.length === 0 ? [] : [[word, values] as const];
  });
  return {
    ...Object.fromEntries(lists),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
  };
}

function toAddressWords({ campaign, where, kind, from, to }: TypedProofOptions): Address["words"] {
  return {
    ...(campaign && { campaign: campaign.join(",") }),
    ...(where && { where: formatWhere(parseWhere(where)) }),
    ...(kind && { kind: kind.join(",") }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
  };
}

function hasCampaigns({ campaign, where }: TypedProofOptions, { share }: ViewContext): boolean {
  return share !== undefined || campaign !== undefined || where !== undefined;
}

/** Builds the proof of the chosen campaigns; without any, of all the customer's campaigns. */
async function prepareProof(
  words: TypedProofOptions,
  settings: Settings,
  { lease: { mart }, now, share }: ViewContext,
): Promise<ProofDocument> {
  const brand = readBrand(customFolderOf(settings));
  if (share === undefined) return await buildProof(mart, parseProofOptions(words), brand, now);
  const all = (await listNamedEntities(mart, "campaign"))
    .filter(({ detail }) => words.kind === undefined || words.kind.includes(detail ?? ""))
    .map(({ id }) => String(id));
  const request = parseProofOptions({ ...words, campaign: words.campaign ?? all });
  // The document lists the attributes, so that it can be verified with the operator's data.
  const attributes = await listPublished(mart, share);
  return await buildProof(mart, { ...request, where: [...(request.where ?? []), ...attributes] }, brand, now);
}

/** Returns the values of a customer token's attributes that any of its campaigns has in this version. */
async function listPublished(mart: PublishedMart, share: Share): Promise<{ name: string; text: string }[]> {
  const known = await listAttributes(mart, ["campaign"]);
  const found = await Promise.all(
    share.attributes.map(async ({ name, values }) => {
      const attribute = known.find((one) => one.name === name);
      const published = attribute === undefined ? [] : await listValues(mart, attribute);
      return values.filter((value) => published.includes(value)).map((text) => ({ name, text }));
    }),
  );
  return found.flat();
}

function renderDocument(
  document: ProofDocument,
  content: ProofContent,
  here: Address,
  version: string,
): Html {
  const { from, to } = document.scope.period;
  const links = proofExtensions.map((extension) => {
    const words = { ...here.words, from, to };
    const address = pinVersion({ view: `proof.${extension}`, words }, version);
    return html`<a href="/${formatAddress(address)}" download>${extension === "html" ? "HTML" : "Excel"}</a>\n`;
  });
  return html`<header>
${renderClaim(content)}
</header>
<main>
${renderFacts(content)}
<section class="download" aria-labelledby="download"><h2 id="download">Download</h2>
<p class="unprinted">${links}</p>
<p>The document is signed. Anyone can check that it is unchanged, with <a href="/proof-key.pem">the public key</a> and <code>venue proof verify FILE --key KEY</code>.</p>
</section>
</main>
`;
}

/** Renders the choice of attributes, campaigns and dates; its lists are open until something is chosen. */
async function renderForm(
  words: Address["words"],
  isOpen: boolean,
  { lease, asOf }: ViewContext,
): Promise<Html> {
  const { choices, attributes } = await readNames(lease);
  return html`<form class="bar" method="get" action="/proof" aria-label="Change the view">
<div class="fields period">
<label>From <input type="date" name="from" value="${words.from}"></label>
<label>to <input type="date" name="to" value="${words.to}"></label>
${isOpen ? "Without dates: the last 28 days with complete data" : undefined}
</div>
<div class="fields">
${renderAttributes(selectAttributes(["campaign"], attributes), words.where, { isOpen })}
${renderCampaigns(choices.campaign, words.campaign, isOpen)}
${words.kind === undefined ? undefined : html`<input type="hidden" name="kind" value="${words.kind}">`}
${asOf === undefined ? undefined : html`<input type="hidden" name="as-of" value="${asOf}">`}
<button>Show</button>
</div>
</form>
`;
}

/** Renders campaigns to pick from; as text with suggestions if there are many or some are unknown. */
function renderCampaigns(choices: Names["choices"]["campaign"], words = "", isOpen = false): Html {
  const valueFor = ({ id, text }: (typeof choices)[number]) => (text.includes(",") ? String(id) : text);
  const chosen = words.split(",").filter(Boolean);
  const found = choices.filter((one) =>
    chosen.some((word) => [valueFor(one), String(one.id)].includes(word)),
  );
  const field = { label: "Campaign", field: "campaign" };
  if (choices.length <= mostCheckboxes && found.length === chosen.length)
    return checkboxes({
      ...{ ...field, isOpen, all: choices.map(valueFor), chosen: found.map(valueFor) },
      shown: found.map(({ name }) => name).join(", ") || "all",
    });
  return html`<label>${field.label} <input type="text" name="${field.field}" list="campaign-choices" value="${words}" size="12" placeholder="all" autocomplete="off" spellcheck="false"></label>
<datalist id="campaign-choices">${choices.map(({ id, text, detail }) => html`<option value="${text}">${detail ? `${id}, ${detail}` : id}</option>`)}</datalist>`;
}
