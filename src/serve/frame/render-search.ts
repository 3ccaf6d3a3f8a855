import type { Address } from "../../report/address/address.ts";
import { type Html, html } from "../../report/html/html.ts";

/** Finds rows by a text in any column; all else of the view stays. */
export function renderSearch({ view, words }: Address, asOf: string | undefined): Html {
  const { search = "", ...others } = { ...words, ...(asOf !== undefined && { "as-of": asOf }) };
  const kept = Object.entries(others).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  );
  return html`<form class="search" method="get" action="/${view}" role="search">${kept}
<label>Search <input type="search" name="search" value="${search}" maxlength="200" autocomplete="off" spellcheck="false"></label>
<button>Find</button></form>`;
}
