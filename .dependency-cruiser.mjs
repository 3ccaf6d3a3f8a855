/** The stages that data passes through, in order. They exchange files and tables. */
const stages = ["extract", "load", "build", "publish", "report", "emulator"];
/** Folders that join stages. */
const recipes = ["pipeline", "doctor", "backup", "login", "serve", "mcp"];
const above = ["main", "cli", ...recipes];

/** Describe what reports read and show, as mart/ describes tables; publishing and loading read them too. */
const catalog = "^src/report/(catalog|compile)/";

function forbid(name, comment, from, to, but = undefined) {
  return {
    name,
    comment,
    severity: "error",
    from: { path: `^src/(${from.join("|")})(/|\\.ts)` },
    to: { path: `^src/(${to.join("|")})(/|\\.ts)`, ...(but && { pathNot: but }) },
  };
}

/** @type {import("dependency-cruiser").IConfiguration} */
export default {
  forbidden: [
    ...stages.map((stage) =>
      forbid(
        `${stage}-imports-no-other-stage`,
        "Stages exchange files and tables; only recipes join them. All may read the catalog of reports.",
        [stage],
        stages.filter((other) => other !== stage),
        catalog,
      ),
    ),
    forbid("stages-import-no-recipe", "A stage does not depend on its uses.", stages, above),
    forbid("recipes-import-no-terminal", "Only cli/ handles terminals, colours and exit codes.", recipes, [
      "main",
      "cli",
    ]),
    forbid(
      "daily-job-imports-no-interactive-recipe",
      "doctor/, backup/ and login/ are for people; a scheduled run works without them.",
      ["pipeline"],
      ["doctor", "backup", "login"],
    ),
    forbid("cli-imports-no-main", "main.ts only starts the program.", ["cli"], ["main"]),
    forbid(
      "reports-open-no-warehouse",
      "An open warehouse locks out all other processes; reports read published files.",
      ["report", "serve", "mcp"],
      ["workspace"],
    ),
    forbid(
      "pages-read-published-data",
      "serve/ and mcp/ show reports of published data; they compute, collect and write nothing, and call no service.",
      ["serve", "mcp"],
      ["api", "pipeline", "doctor", "login", ...stages.filter((stage) => stage !== "report")],
    ),
    forbid(
      "workspace-imports-no-work",
      "It opens what the settings name; the work happens above it.",
      ["workspace"],
      [...above, ...stages],
    ),
    forbid(
      "mart-imports-no-user",
      "mart/ describes the shape of the tables, which several stages share.",
      ["mart"],
      [...above, "workspace", "api", "state", "config", ...stages],
    ),
    forbid(
      "client-stands-alone",
      "Other programs use the client: it needs its own state and nothing of the pipeline.",
      ["api"],
      [...above, "workspace", "mart", "state/data", ...stages],
    ),
    forbid(
      "emulator-shares-nothing-with-the-client",
      "Shared code could share a misreading of the service.",
      ["emulator"],
      ["api", "workspace", "mart", "state", "engines", "config"],
    ),
    forbid(
      "tools-import-no-user",
      "Everything above uses state/ and engines/.",
      ["state", "engines"],
      [...above, "storage", "workspace", "mart", "api", ...stages],
    ),
    forbid(
      "storage-imports-no-user",
      "It stores objects, whatever they are; S3's client is loaded only for its URLs.",
      ["storage"],
      [...above, "workspace", "mart", "api", "state", "engines", "config", ...stages],
    ),
    {
      name: "s3-client-only-in-storage",
      comment: "Its errors can hold keys; storage/s3/ translates them.",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/storage/s3/" },
      to: { path: "node_modules/(@aws-sdk|@smithy)/" },
    },
    forbid(
      "client-and-emulator-store-no-objects",
      "They work with the service alone.",
      ["api", "emulator", "config"],
      ["storage"],
    ),
    forbid(
      "landing-store-imports-no-stage",
      "landings/ describes what collectors and the loader exchange; recipes use it.",
      ["landings"],
      [...above, "workspace", "mart", "api", "engines", ...stages],
    ),
    forbid("state-imports-no-engine", "SQLite and DuckDB have one job each.", ["state"], ["engines"]),
    forbid("engines-import-no-state", "SQLite and DuckDB have one job each.", ["engines"], ["state"]),
    forbid(
      "config-imports-no-user",
      "Settings read the environment and nothing else.",
      ["config"],
      [...above, "workspace", "mart", "api", "state", "engines", ...stages],
    ),
    forbid(
      "util-imports-nothing",
      "Clock, files and logging would serve any program.",
      ["util"],
      [...above, "storage", "workspace", "mart", "api", "state", "engines", "config", ...stages],
    ),
    {
      name: "catalog-imports-only-shapes",
      comment: "Reports are declared without their pages, options and sentences.",
      severity: "error",
      from: { path: catalog },
      to: { path: "^src/", pathNot: [catalog, "^src/(mart|engines|util)/"] },
    },
    {
      name: "descriptions-load-no-http-client",
      comment: "Every command that prints a result would pay a third of a second for it.",
      severity: "error",
      from: { path: "^src/cli/results/describe-" },
      to: { path: "^src/(engines/connect-|api/)", dependencyTypesNot: ["type-only"] },
    },
    { name: "no-cycles", severity: "error", from: {}, to: { circular: true } },
    { name: "nothing-unresolved", severity: "error", from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    parser: "swc",
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "node", "default"] },
  },
};
