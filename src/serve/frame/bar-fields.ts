import { attributeField } from "../../report/address/attribute-fields.ts";
import { getFigure } from "../../report/figures.ts";
import { type Html, html } from "../../report/html/html.ts";
import { type KnownAttribute, matchValues } from "../../report/options/known-attributes.ts";
import { parseWhere } from "../../report/options/parse-values.ts";
import type { AttributeFilter } from "../../report/options/request-options.ts";

/** Attributes with at most this many values are shown as checkboxes, others as a text field. */
const mostCheckboxes = 20;

/** Renders the attribute filters, including unknown ones in `where`, so that they can be corrected. */
export function renderAttributes(
  attributes: readonly KnownAttribute[],
  where: string | undefined,
  { isOpen = false } = {},
): Html[] {
  const filters = filtersOf(where);
  const unknown = filters.filter(({ name }) => attributes.every((one) => one.name !== name));
  const all = [...attributes, ...unknown.map(({ name }) => ({ name, values: [] }))];
  return all.map(({ name, values }) => {
    const field = `${attributeField}${name}`;
    const label = getFigure(name).label;
    const texts = filters.filter((filter) => filter.name === name).map(({ text }) => text);
    const matched = texts.flatMap((text) => matchValues(text, values));
    if (
      values.length > 0 &&
      values.length <= mostCheckboxes &&
      matched.every(({ found }) => found.length > 0)
    ) {
      const chosen = matched.flatMap(({ found }) => found);
      return checkboxes({ label, field, all: values, chosen, shown: chosen.join(", ") || "all", isOpen });
    }
    return html`<label>${label} <input type="text" name="${field}" list="${field}-choices" value="${texts.join(", ")}" size="12" placeholder="all" autocomplete="off" spellcheck="false"></label>
<datalist id="${field}-choices">${values.map((value) => html`<option value="${value}"></option>`)}</datalist>`;
  });
}

export function filtersOf(where: string | undefined): AttributeFilter[] {
  return where === undefined ? [] : parseWhere([where]);
}

interface Checkboxes {
  label: string;
  /** Name of each box. */
  field: string;
  all: readonly string[];
  chosen: readonly string[];
  /** Text that summarises the choice. */
  shown: string;
  textOf?: (value: string) => string;
  /** @default false */
  isOpen?: boolean;
}

/** Renders a multiple choice from a short list. */
export function checkboxes({
  label,
  field,
  all,
  chosen,
  shown,
  textOf = (value) => value,
  isOpen = false,
}: Checkboxes): Html {
  return html`<details class="choose"${isOpen ? html` open` : undefined}><summary>${label}: <b>${shown}</b></summary><fieldset><legend class="unseen">${label}</legend>
${all.map(
  (value) =>
    html`<label><input type="checkbox" name="${field}" value="${value}"${chosen.includes(value) ? html` checked` : undefined}> ${textOf(value)}</label>\n`,
)}</fieldset></details>`;
}
