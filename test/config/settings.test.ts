import { writeFileSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ConfigError, Settings } from "../../src/config/settings.ts";
import { toFlag, type VariableName, variableNames } from "../../src/config/variables.ts";
import { createTempFolder } from "../support/temp-folder.ts";

function read(
  environment: NodeJS.ProcessEnv,
  flags: Partial<Record<VariableName, string>> = {},
  dotenv?: string,
): Settings {
  const workingFolder = createTempFolder();
  if (dotenv !== undefined) writeFileSync(join(workingFolder, ".env"), dotenv);
  return new Settings({ flags, environment, workingFolder });
}

describe("the source of a value", () => {
  it("prefers flags, then the environment, then .env, then defaults", () => {
    const dotenv = "VENUE_RATE_PER_SECOND=4\nVENUE_SETTLE_DAYS=5\nVENUE_MEMORY_LIMIT=1GB\n";
    const settings = read(
      { VENUE_RATE_PER_SECOND: "3", VENUE_SETTLE_DAYS: "6" },
      { VENUE_RATE_PER_SECOND: "2" },
      dotenv,
    );
    expect([settings.get("VENUE_RATE_PER_SECOND"), settings.originOf("VENUE_RATE_PER_SECOND")]).toEqual([
      2,
      "flag",
    ]);
    expect([settings.get("VENUE_SETTLE_DAYS"), settings.originOf("VENUE_SETTLE_DAYS")]).toEqual([
      6,
      "environment",
    ]);
    expect([settings.get("VENUE_MEMORY_LIMIT"), settings.originOf("VENUE_MEMORY_LIMIT")]).toEqual([
      "1GB",
      ".env",
    ]);
    expect([settings.get("VENUE_LOG"), settings.originOf("VENUE_LOG")]).toEqual(["text", "default"]);
    expect([settings.find("VENUE_NOW"), settings.originOf("VENUE_NOW")]).toEqual([undefined, "not set"]);
  });

  it("reads a .env with a byte order mark and Windows line ends", () => {
    const settings = read({}, {}, "\ufeffVENUE_SETTLE_DAYS=5\r\nVENUE_MEMORY_LIMIT=1GB\r\n");
    expect([settings.get("VENUE_SETTLE_DAYS"), settings.get("VENUE_MEMORY_LIMIT")]).toEqual([5, "1GB"]);
  });

  it("treats empty text as not set", () => {
    const settings = read({ VENUE_BASE_URL: "  ", VENUE_RATE_PER_SECOND: "" });
    expect(settings.find("VENUE_BASE_URL")).toBeUndefined();
    expect(settings.get("VENUE_RATE_PER_SECOND")).toBe(1);
  });

  it("reports a missing variable and how to set it", () => {
    const settings = new Settings({ flags: {}, environment: {}, workingFolder: "/srv/venue" });
    expect(() => settings.get("VENUE_BASE_URL")).toThrowErrorMatchingInlineSnapshot(
      `[ConfigError: VENUE_BASE_URL is not set (versioned API root; main paths are under {base}/ext/). Set it in the environment or in .env (of the working folder, /srv/venue), or give --base-url.]`,
    );
  });

  it("puts VENUE_HOME where the platform keeps settings", () => {
    expect(read({ XDG_CONFIG_HOME: "/xdg" }).get("VENUE_HOME")).toBe("/xdg/venue-analytics");
    expect(read({ HOME: "/home/ann" }).get("VENUE_HOME")).toBe("/home/ann/.config/venue-analytics");
    // A relative path would leave secrets wherever a command runs.
    expect(read({ XDG_CONFIG_HOME: "xdg", HOME: "/home/ann" }).get("VENUE_HOME")).toBe(
      "/home/ann/.config/venue-analytics",
    );
    const ofUser = join(userInfo().homedir, ".config", "venue-analytics");
    for (const HOME of ["", "home", undefined]) expect(read({ HOME }).get("VENUE_HOME")).toBe(ofUser);
  });

  it("has a flag for every variable except secrets", () => {
    expect(variableNames.filter((name) => toFlag(name) === undefined)).toEqual([
      "VENUE_CLIENT_SECRET",
      "VENUE_TRINO_PASSWORD",
      "VENUE_TRINO_TOKEN",
      "VENUE_NESSIE_TOKEN",
      "VENUE_HEARTBEAT_URL",
    ]);
    expect(toFlag("VENUE_DATA_DIR")).toBe("--data-dir");
  });
});

describe("malformed values", () => {
  it.each<[VariableName, string]>([
    ["VENUE_BASE_URL", "example.com/v5"],
    ["VENUE_BASE_URL", "ftp://example.com/v5"],
    ["VENUE_GROUP_IDS", "12,x"],
    ["VENUE_GROUP_IDS", "-1"],
    ["VENUE_GROUP_IDS", ","],
    ["VENUE_RATE_PER_SECOND", "0"],
    ["VENUE_RATE_PER_SECOND", "fast"],
    ["VENUE_MEMORY_LIMIT", "lots"],
    ["VENUE_MEMORY_LIMIT", "99999999TB"],
    ["VENUE_THREADS", "0"],
    ["VENUE_SERVICE_TIME_ZONE", "Europe/Atlantis"],
    ["VENUE_SERVICE_TIME_ZONE", "+02:00"],
    ["VENUE_SETTLE_DAYS", "1.5"],
    ["VENUE_DOWN_STATUS", " , "],
    ["VENUE_ASSET_DURATION_UNIT", "minutes"],
    ["VENUE_AVAILABILITY_TARGET", "95"],
    ["VENUE_NOW", "2026-11-21"],
    ["VENUE_NOW", "2026-13-21T00:00:00Z"],
    ["VENUE_SMTP_URL", "smtp://me:password@mail.example.com"],
    ["VENUE_SMTP_URL", "https://mail.example.com"],
    ["VENUE_SMTP_URL", "smtp://me%@mail.example.com"],
    ["VENUE_MAIL_FROM", "a@example.com, b@example.com"],
    ["VENUE_LOG", "xml"],
  ])("%s = %s", (name, value) => {
    const error = catchError(() => read({ [name]: value }));
    expect(error).toBeInstanceOf(ConfigError);
    expect((error as ConfigError).variable).toBe(name);
    expect((error as ConfigError).message).toMatchSnapshot();
  });

  it.each([
    ["https://user:pw@example.com/v5?key=abc", "https://[hidden]@example.com/v5?[hidden]"],
    ["https://user:p@ss@example.com/v5", "https://[hidden]@example.com/v5"],
    ["https://user:p/w@example.com/v5", "https://[hidden]@example.com/v5"],
    ["user:pw@example.com/v5", "[hidden]@example.com/v5"],
    ["ftp://example.com/v5", "ftp://example.com/v5"],
  ])("hides passwords and queries in URLs: %s", (address, shown) => {
    const error = catchError(() => read({ VENUE_BASE_URL: address }));
    expect(String(error)).toContain(`${JSON.stringify(shown)}. It takes `);
    expect(String(error)).toContain("without user");
  });

  it("reads mail addresses with and without names", () => {
    const name = '"Venue, north" <venue@example.com>';
    expect(read({ VENUE_MAIL_FROM: name }).get("VENUE_MAIL_FROM")).toEqual({
      name: "Venue, north",
      address: "venue@example.com",
    });
    expect(read({ VENUE_MAIL_FROM: "root@localhost" }).get("VENUE_MAIL_FROM").address).toBe("root@localhost");
  });

  it("reads lists without duplicates", () => {
    expect(read({ VENUE_GROUP_IDS: " 3, 1,3 " }).get("VENUE_GROUP_IDS")).toEqual([3, 1]);
    expect(read({ VENUE_DOWN_STATUS: "offline,lost" }).get("VENUE_DOWN_STATUS")).toEqual(["offline", "lost"]);
  });
});

function catchError(body: () => unknown): unknown {
  try {
    body();
  } catch (error) {
    return error;
  }
  return undefined;
}

it.each(["~", "~/venue", "$HOME/venue", ["$", "{HOME}/venue"].join("")])(
  "rejects the unexpanded path %s",
  (path) => {
    expect(() => read({}, {}, `VENUE_DATA_DIR='${path}'\n`)).toThrow(
      `VENUE_DATA_DIR (from .env) is ${JSON.stringify(path)}. It takes a path on this machine, not a URL; ~ and $HOME are not expanded here`,
    );
  },
);

it.each(["~venue", "./~/venue", "a~", "$HOMES/venue"])("accepts the path %s as it is", (path) => {
  expect(read({}, { VENUE_DATA_DIR: path }).get("VENUE_DATA_DIR")).toMatch(/^\/.*[~$]/);
});
