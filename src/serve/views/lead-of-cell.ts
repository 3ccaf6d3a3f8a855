import type { Address } from "../../report/address/address.ts";
import type { Cell } from "../../report/findings/explain-cell.ts";
import type { ReportRow } from "../../report/report.ts";

/** Where a subject leads of what explains a cell: to the plays of its day, to devices, to who else claims the plays. */
export function leadOfCell(row: ReportRow, { kind, zoneId, date }: Cell): Address | undefined {
  const [sections = "", subject = "", value, note = ""] = row.map(String);
  // Where campaigns of several kinds are explained, sections begin with theirs.
  const [section, ofKind = kind] = sections.split(" ").reverse();
  const zone = String(zoneId);
  const day = { from: date, to: date };
  const known = { ...(ofKind && { kind: ofKind }), zone };
  const [, id] = /^(?:asset|device|campaign) (\d+)/.exec(section === "claimants" ? note : subject) ?? [];
  if (section === "plays") return { view: "single-plays", words: { ...known, ...day } };
  if (section === "assets" && id) return { view: "single-plays", words: { ...known, ...day, item: id } };
  if (section === "claimants" && id) return { view: "cell", words: { ...known, campaign: id, date } };
  if (section !== "day") return undefined;
  if (subject === "plays of any kind" && value === "yes")
    return { view: "single-plays", words: { zone, ...day } };
  if (id) return { view: "uptime", words: { by: "date", device: id, ...day } };
  return subject === "device" ? { view: "devices", words: { zone } } : undefined;
}
