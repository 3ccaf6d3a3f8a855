import { connectNessie } from "../../engines/connect-cluster.ts";
import { listShown, type PastVersion } from "../../mart/shown-versions.ts";
import type { CliContext } from "../cli-context.ts";

const maxVersions = 30;

/** Lists the latest versions that Trino has published, for `--as-of`; newest first. */
export async function listShownVersions({ settings, logger }: CliContext): Promise<PastVersion[]> {
  const nessie = connectNessie(settings, logger);
  const versions: PastVersion[] = [];
  try {
    for await (const version of listShown(nessie)) {
      if (versions.push(version) === maxVersions) break;
    }
    return versions;
  } finally {
    nessie.close();
  }
}

export function describeVersions(versions: readonly PastVersion[]): string {
  const lines = versions.map(({ version, shownAt, dataAsOf, softwareVersion }) => {
    const data = dataAsOf === null ? "no history" : `data as of ${dataAsOf} UTC`;
    return `  ${version}  shown ${shownAt.slice(0, 19).replace("T", " ")} UTC  ${data}  built by ${softwareVersion}`;
  });
  return ["Versions:", ...lines].join("\n");
}

export function summarizeVersions(versions: readonly PastVersion[]): object[] {
  return versions.map(({ version, shownAt, dataAsOf, softwareVersion, at }) => ({
    version,
    shown_at: shownAt,
    data_as_of: dataAsOf === null ? null : `${dataAsOf.replace(" ", "T")}Z`,
    software_version: softwareVersion,
    commit: at.hash,
  }));
}
