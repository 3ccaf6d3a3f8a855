import { userInfo } from "node:os";
import { isAbsolute, join } from "node:path";
import {
  cronPattern,
  freshness,
  httpUrl,
  ids,
  instant,
  mailbox,
  memorySize,
  oneOf,
  type Parser,
  path,
  rate,
  serviceUrl,
  share,
  smtpUrl,
  storePlace,
  text,
  timeZone,
  urlWithQuery,
  wholeNumber,
  words,
} from "./parsers.ts";

/** One setting: an environment variable and, unless it is a secret, the flag of the same name. */
export interface Variable<Value = unknown> {
  parser: Parser<Value>;
  /** Default value as text, which may depend on the environment; absent or `undefined` without a default. */
  fallback?: (environment: NodeJS.ProcessEnv) => string | undefined;
  /** Shown by `--help`. */
  description: string;
  placeholder: string;
  /** True if the value is never shown. It has no flag, because other users can read a process's arguments. */
  isSecret?: true;
}

function variable<Value>(definition: Variable<Value>): Variable<Value> {
  return definition;
}

/** Returns the folder of the user's settings; `undefined` if the user has no home, as in some containers. */
function findConfigFolder({ XDG_CONFIG_HOME = "", HOME = "" }: NodeJS.ProcessEnv): string | undefined {
  // The XDG Base Directory Specification requires relative paths to be ignored.
  if (isAbsolute(XDG_CONFIG_HOME)) return XDG_CONFIG_HOME;
  const home = isAbsolute(HOME) ? HOME : findHome();
  return home && join(home, ".config");
}

function findHome(): string | undefined {
  try {
    return userInfo().homedir;
  } catch {
    return undefined;
  }
}

/** All settings, in the order in which the documentation lists them. */
export const variables = {
  VENUE_BASE_URL: variable({
    parser: serviceUrl,
    description: "versioned API root; main paths are under {base}/ext/",
    placeholder: "URL",
  }),
  VENUE_STATUS_URL: variable({
    parser: serviceUrl,
    description: "status API root; without it, status steps are skipped",
    placeholder: "URL",
  }),
  VENUE_ALLOW_HTTP: variable({
    parser: oneOf("0", "1"),
    fallback: () => "0",
    description:
      "1 accepts http for other hosts: in VENUE_BASE_URL, VENUE_STATUS_URL, and S3 backups with a secret",
    placeholder: "0|1",
  }),
  VENUE_CLIENT_ID: variable({
    parser: text,
    description: "API client identifier (else from credentials.json in VENUE_HOME)",
    placeholder: "ID",
  }),
  VENUE_CLIENT_SECRET: variable({
    parser: text,
    description: "API client secret (else from VENUE_CLIENT_SECRET_FILE or credentials.json)",
    placeholder: "SECRET",
    isSecret: true,
  }),
  VENUE_CLIENT_SECRET_FILE: variable({
    parser: path,
    description: "file that contains the API client secret",
    placeholder: "FILE",
  }),
  VENUE_GROUP_IDS: variable({
    parser: ids,
    description: "ids of the groups to collect, comma-separated",
    placeholder: "IDS",
  }),
  VENUE_RATE_PER_SECOND: variable({
    parser: rate,
    fallback: () => "1",
    description: "main API requests per second, as agreed with the operator",
    placeholder: "N",
  }),
  VENUE_HOME: variable({
    parser: path,
    fallback: (environment) => {
      const folder = findConfigFolder(environment);
      return folder && join(folder, "venue-analytics");
    },
    description: "per-user folder of credentials.json and client.db",
    placeholder: "DIR",
  }),
  VENUE_DATA_DIR: variable({
    parser: path,
    fallback: () => "data",
    description: "folder for all collected, built and published data",
    placeholder: "DIR",
  }),
  VENUE_OWN_DIR: variable({
    parser: path,
    description: "folder of custom reports and checks (default: own in VENUE_DATA_DIR)",
    placeholder: "DIR",
  }),
  VENUE_OWN_SECONDS: variable({
    parser: wholeNumber(1, 86_400),
    fallback: () => "60",
    description: "seconds after which a custom report or check is stopped",
    placeholder: "N",
  }),
  VENUE_MEMORY_LIMIT: variable({
    parser: memorySize,
    fallback: () => "600MB",
    description: "memory limit of DuckDB; beyond it, DuckDB spills to tmp/",
    placeholder: "SIZE",
  }),
  VENUE_THREADS: variable({
    parser: wholeNumber(1, 1024),
    description: "threads used by DuckDB (default: all cores)",
    placeholder: "N",
  }),
  VENUE_SERVICE_TIME_ZONE: variable({
    parser: timeZone,
    fallback: () => "UTC",
    description: "time zone of the service's date-times without an offset",
    placeholder: "ZONE",
  }),
  VENUE_SETTLE_DAYS: variable({
    parser: wholeNumber(0, 365),
    fallback: () => "3",
    description: "days until a missing play is treated as missed",
    placeholder: "DAYS",
  }),
  VENUE_SLOT_MINUTES: variable({
    parser: wholeNumber(1, 1440),
    fallback: () => "60",
    description: "minutes after a due time of a campaign's rule within which a play meets it",
    placeholder: "MINUTES",
  }),
  VENUE_DOWN_STATUS: variable({
    parser: words,
    fallback: () => "offline",
    description: "device states that mean down, comma-separated",
    placeholder: "WORDS",
  }),
  VENUE_ASSET_DURATION_UNIT: variable({
    parser: oneOf("seconds", "milliseconds"),
    fallback: () => "seconds",
    description: "unit of asset durations: seconds or milliseconds",
    placeholder: "UNIT",
  }),
  VENUE_FRESHNESS: variable({
    parser: freshness,
    fallback: () => "history=36h,devices=36h",
    description: "age from which a source is treated as old, e.g. history=30h,devices=3h,campaigns=2d",
    placeholder: "AGES",
  }),
  VENUE_LANDINGS: variable({
    parser: storePlace,
    description:
      "landing store: a folder or s3://bucket/prefix to which collect moves landings, and from which load and run load them",
    placeholder: "STORE",
  }),
  VENUE_AVAILABILITY_TARGET: variable({
    parser: share,
    description: "availability target shown on pages, e.g. 0.95 (default: none)",
    placeholder: "SHARE",
  }),
  VENUE_NOW: variable({
    parser: instant,
    description: "ISO 8601 instant to use as “now” in data (default: the real clock)",
    placeholder: "INSTANT",
  }),
  VENUE_ENGINE: variable({
    parser: oneOf("duckdb", "trino"),
    fallback: () => "duckdb",
    description: "engine for builds, checks and reports: duckdb (this machine) or trino (a cluster)",
    placeholder: "ENGINE",
  }),
  VENUE_TRINO_URL: variable({
    parser: httpUrl,
    description: "URL of the Trino coordinator, for VENUE_ENGINE=trino",
    placeholder: "URL",
  }),
  VENUE_TRINO_USER: variable({
    parser: text,
    fallback: () => "venue",
    description: "Trino user",
    placeholder: "NAME",
  }),
  VENUE_TRINO_PASSWORD: variable({
    parser: text,
    description: "Trino password",
    placeholder: "PASSWORD",
    isSecret: true,
  }),
  VENUE_TRINO_TOKEN: variable({
    parser: text,
    description: "JSON Web Token for Trino, instead of a password",
    placeholder: "TOKEN",
    isSecret: true,
  }),
  VENUE_TRINO_CERTIFICATE_FILE: variable({
    parser: path,
    description: "PEM file of an additional certificate authority for Trino and Nessie",
    placeholder: "FILE",
  }),
  VENUE_NESSIE_URL: variable({
    parser: httpUrl,
    description: "URL of Nessie, which stores the versions built by Trino",
    placeholder: "URL",
  }),
  VENUE_NESSIE_TOKEN: variable({
    parser: text,
    description: "bearer token for Nessie",
    placeholder: "TOKEN",
    isSecret: true,
  }),
  VENUE_SCHEDULE_RUN: variable({
    parser: cronPattern,
    fallback: () => "30 5 * * *",
    description: "when venue schedule starts venue run, as a cron pattern",
    placeholder: "PATTERN",
  }),
  VENUE_SCHEDULE_DEVICES: variable({
    parser: cronPattern,
    fallback: () => "0 * * * *",
    description: "when venue schedule checks the devices, as a cron pattern",
    placeholder: "PATTERN",
  }),
  VENUE_SCHEDULE_TIME_ZONE: variable({
    parser: timeZone,
    description: "time zone of these patterns (default: this machine's)",
    placeholder: "ZONE",
  }),
  VENUE_HEARTBEAT_URL: variable({
    parser: urlWithQuery,
    description:
      "called at each run's start (/start), success, and failure (/fail), as healthchecks.io expects; or at its end, with values for {status} and {message}",
    placeholder: "URL",
    isSecret: true,
  }),
  VENUE_SMTP_URL: variable({
    parser: smtpUrl,
    description: "mail server for notifications, e.g. smtp://user@mail.example.com:587",
    placeholder: "URL",
  }),
  VENUE_SMTP_PASSWORD_FILE: variable({
    parser: path,
    description: "file that contains the password of the user in VENUE_SMTP_URL",
    placeholder: "FILE",
  }),
  VENUE_MAIL_FROM: variable({
    parser: mailbox,
    description: "sender of mail, who also gets replies, e.g. Venue <venue@example.com>",
    placeholder: "ADDRESS",
  }),
  VENUE_PUBLIC_URL: variable({
    parser: serviceUrl,
    description: "address of venue serve, for links in messages and behind a proxy",
    placeholder: "URL",
  }),
  VENUE_LOG_FILE: variable({
    parser: path,
    description: "file that also receives the log, with up to five older ones of 10 MB each",
    placeholder: "FILE",
  }),
  VENUE_LOG: variable({
    parser: oneOf("text", "json"),
    fallback: () => "text",
    description: "log format on stderr: text or json (one object per line)",
    placeholder: "FORM",
  }),
};

export type VariableName = keyof typeof variables;

export const variableNames = Object.keys(variables) as VariableName[];

/** Returns a setting's flag, e.g. `--data-dir` for `VENUE_DATA_DIR`; a secret has none. */
export function toFlag(name: VariableName): string | undefined {
  return "isSecret" in variables[name] && variables[name].isSecret
    ? undefined
    : `--${name.slice("VENUE_".length).toLowerCase().replaceAll("_", "-")}`;
}
