import { type Address, addressText } from "../../report/address/address.ts";
import { type Html, html } from "../../report/html/html.ts";
import type { TakenVersion } from "../versions/version-pool.ts";

/** Says so where a page is not of the version that is current now, or can no longer be. */
export function renderVersionNote({ mart, current, gone }: TakenVersion, address: Address): Html | undefined {
  if (gone !== undefined)
    return html`<div class="version" role="note"><p>Version ${gone} is no longer kept. This is ${mart.version}.</p></div>\n`;
  if (current === mart.version) return undefined;
  return html`<div class="version" role="note"><p>This page shows version ${mart.version}. <a href="/${addressText(address)}">Show the new one, ${current}</a>.</p></div>\n`;
}
