import type { PastVersion } from "../../mart/shown-versions.ts";

/** One line per version, for people. */
export function describeHistory(versions: readonly PastVersion[]): string {
  if (versions.length === 0) return "Trino has shown no version yet: venue build --engine trino makes one.";
  return versions
    .map(({ version, shownAt, dataAsOf, softwareVersion }) => {
      const data = dataAsOf === null ? "no history" : `data as of ${dataAsOf} UTC`;
      return `${version}  shown ${shownAt.slice(0, 19).replace("T", " ")} UTC  ${data}  built by ${softwareVersion}`;
    })
    .join("\n");
}

export function summarizeHistory(versions: readonly PastVersion[]): object[] {
  return versions.map(({ version, shownAt, dataAsOf, softwareVersion, at }) => ({
    version,
    shown_at: shownAt,
    data_as_of: dataAsOf === null ? null : `${dataAsOf.replace(" ", "T")}Z`,
    software_version: softwareVersion,
    commit: at.hash,
  }));
}
