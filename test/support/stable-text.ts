import { packageRoot } from "../../src/util/files/package-files.ts";
import { tempPrefix } from "./temp-folder.ts";

const tempFolder = new RegExp(`(/[\\w.-]+)*/${tempPrefix}\\w{6}`, "g");
const packageFolder = packageRoot.replace(/\/$/, "");

/** Normalises text for snapshots: folders, ports, jobs, waits and TLS error codes vary by run and machine. */
export function stableText(text: string): string {
  return text
    .replaceAll(tempFolder, "FOLDER")
    .replaceAll(packageFolder, "PACKAGE")
    .replaceAll(/(127\.0\.0\.1|0\.0\.0\.0|localhost):\d{5}/g, "$1:PORT")
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "JOB")
    .replaceAll(/follows in [\d.]+ s/g, "follows in N s")
    .replaceAll(/error:[0-9A-F]{8}:[^)]*/g, "TLS ERROR");
}
