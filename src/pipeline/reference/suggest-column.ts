import { join } from "node:path";
import { DataFolder } from "../../config/data-folder.ts";
import type { Settings } from "../../config/settings.ts";
import {
  attributeFiles,
  checkColumns,
  type FileEntity,
  keyColumns,
} from "../../load/reference/attribute-file.ts";
import { readFileOrWorkbook } from "../../load/reference/reference-file.ts";
import type { UnknownAttributeError } from "../../report/options/find-attributes.ts";

/**
 * Explains how to define an unknown attribute: with a column in a reference file, or with a build if a file
 * has the column already. Empty for a name that no column can have.
 */
export async function suggestColumn(
  settings: Settings,
  { attribute, subjects }: Pick<UnknownAttributeError, "attribute" | "subjects">,
): Promise<string> {
  const { reference } = new DataFolder(settings.get("VENUE_DATA_DIR"));
  const ofSubjects: readonly FileEntity[] = subjects.includes("zone") ? [...subjects, "location"] : subjects;
  const forms = Object.entries(attributeFiles).filter(([, form]) => ofSubjects.includes(form.subject));
  const [first] = forms;
  if (first === undefined) return "";
  const [template, form] = first;
  if (checkColumns(form)([...keyColumns(form), attribute]) !== undefined) return "";
  let target = join(reference, template);
  for (const [name, ownForm] of forms) {
    // The next build reports the mistakes in an invalid file.
    const file = await readFileOrWorkbook(join(reference, name), checkColumns(ownForm)).catch(
      () => undefined,
    );
    if (name === template && file) target = file.path;
    if (!file?.columns.includes(attribute)) continue;
    const isFilled = file.rows.some(({ values }) => values[attribute] !== "");
    const filling = isFilled ? "" : `fill it in (${commandFor(name)}), and `;
    return `${file.path} has the column ${attribute}: ${filling}run \`venue build\`.`;
  }
  return `For a custom term, add a column ${attribute} to ${target} (${commandFor(template)}), and run \`venue build\`.`;
}

function commandFor(name: string): string {
  return `\`venue reference template ${name.replace(".csv", "")}\``;
}
