/** How cells look, with the format of their numbers. Times are written as the clock has them: instants in UTC, with a Z. */
const formats = {
  general: undefined,
  header: undefined,
  text: "@",
  share: "0.0%",
  date: "yyyy\\-mm\\-dd",
  instant: 'yyyy\\-mm\\-dd\\ hh:mm:ss"Z"',
  local_time: "yyyy\\-mm\\-dd\\ hh:mm:ss",
} as const;

export type CellStyle = keyof typeof formats;

const styles = Object.keys(formats) as CellStyle[];
/** Lower numbers are Excel's own. */
const firstFormat = 164;
const boldFont = 1;

/** Its place in `xl/styles.xml`. */
export function styleNumber(style: CellStyle): number {
  return styles.indexOf(style);
}

/** The part `xl/styles.xml`. */
export const stylesXml =
  '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n' +
  '<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">' +
  `<numFmts count="${styles.length}">${styles.map(numberFormat).join("")}</numFmts>` +
  '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>' +
  '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
  '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
  `<cellXfs count="${styles.length}">${styles.map(cellFormat).join("")}</cellXfs>` +
  '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>';

function numberFormat(style: CellStyle, index: number): string {
  const code = formats[style] ?? "General";
  return `<numFmt numFmtId="${firstFormat + index}" formatCode="${code.replaceAll('"', "&quot;")}"/>`;
}

function cellFormat(style: CellStyle, index: number): string {
  const font = style === "header" ? boldFont : 0;
  return `<xf numFmtId="${firstFormat + index}" fontId="${font}" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/>`;
}
