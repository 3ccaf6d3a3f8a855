import { escapeXml, rangeOf, type Sheet, stylesXml } from "./sheet-xml.ts";

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const officeDocument = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const packageRelations = "http://schemas.openxmlformats.org/package/2006/relationships";
const spreadsheet = "application/vnd.openxmlformats-officedocument.spreadsheetml";

/** The parts of a workbook beside its sheets, by their names. */
export function workbookParts(sheets: readonly Sheet[]): Readonly<Record<string, string>> {
  return {
    "xl/styles.xml": stylesXml,
    "xl/workbook.xml": workbookXml(sheets),
    "xl/_rels/workbook.xml.rels": relationsXml([
      ...sheets.map((_sheet, index) => ["worksheet", `worksheets/sheet${index + 1}.xml`] as const),
      ["styles", "styles.xml"],
    ]),
    "_rels/.rels": relationsXml([["officeDocument", "xl/workbook.xml"]]),
    "[Content_Types].xml": contentTypesXml(sheets),
  };
}

function workbookXml(sheets: readonly Sheet[]): string {
  const entries = sheets.map(
    ({ name }, index) => `<sheet name="${attribute(name)}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`,
  );
  // Some programs find a sheet's filter only by this name.
  const filters = sheets.map((sheet, index) => {
    const range = rangeOf(sheet).replaceAll(/[A-Z]+|\d+/g, "$$$&");
    return `<definedName name="_xlnm._FilterDatabase" localSheetId="${index}" hidden="1">'${escapeXml(sheet.name)}'!${range}</definedName>`;
  });
  return (
    `${declaration}<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="${officeDocument}">` +
    `<sheets>${entries.join("")}</sheets><definedNames>${filters.join("")}</definedNames></workbook>`
  );
}

/** @param targets the last word of each one's type, and its path */
function relationsXml(targets: readonly (readonly [type: string, path: string])[]): string {
  const entries = targets.map(
    ([type, path], index) =>
      `<Relationship Id="rId${index + 1}" Type="${officeDocument}/${type}" Target="${path}"/>`,
  );
  return `${declaration}<Relationships xmlns="${packageRelations}">${entries.join("")}</Relationships>`;
}

function contentTypesXml(sheets: readonly Sheet[]): string {
  const parts = [
    ["/xl/workbook.xml", "sheet.main"],
    ["/xl/styles.xml", "styles"],
    ...sheets.map((_sheet, index) => [`/xl/worksheets/sheet${index + 1}.xml`, "worksheet"] as const),
  ];
  return (
    `${declaration}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">` +
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
    `<Default Extension="xml" ContentType="application/xml"/>${parts
      .map(([path, type]) => `<Override PartName="${path}" ContentType="${spreadsheet}.${type}+xml"/>`)
      .join("")}</Types>`
  );
}

function attribute(text: string): string {
  return escapeXml(text).replaceAll('"', "&quot;");
}
