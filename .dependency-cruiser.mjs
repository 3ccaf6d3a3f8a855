/** Stages, in the order in which data passes them. */
const stages = ["extract", "load", "build", "publish", "report", "emulator"];
/** What joins stages: recipes, what `venue doctor` tries and mends, backups, the login, and the pages that are served. */
const recipes = ["pipeline", "doctor", "backup", "login", "serve"];

function forbid(name, comment, from, to) {
  return {
    name,
    comment,
    severity: "error",
    from: { path: `^src/(${from.join("|")})(/|\\.ts)` },
    to: { path: `^src/(${to.join("|")})(/|\\.ts)` },
  };
}

/**
 * Rooms of a stage, level by level, uppermost first: each may import rooms of levels below its own. Files that lie
 * in the stage's folder itself are of no level: they join rooms, or are what all of them speak of.
 */
export const rooms = {
  api: {
    levels: [["endpoints"], ["records"], ["transport"], ["errors"]],
    comment: "An endpoint asks and reads a record; transport carries any request, and knows no record.",
  },
  emulator: {
    levels: [["server"], ["changes"], ["world"]],
    comment: "The world is as it is, whoever asks; what requests change lies over it; the server tells both.",
  },
  "emulator/world": {
    levels: [["devices", "history"], ["plays", "status"], ["content"], ["premises"]],
    comment: "Zones play content, plays become history and the state of devices: never the other way round.",
  },
  "emulator/server": {
    levels: [["endpoints"], ["exports", "requests"], ["faults"], ["answers"]],
    comment: "An endpoint reads a request and answers; what it is made of knows no endpoint.",
  },
  extract: {
    levels: [["plan", "on-demand"], ["export", "walk", "listing", "status"], ["download"]],
    comment: "Each way of collecting stands alone; the plan weighs them.",
  },
  engines: {
    levels: [
      ["trino", "nessie"],
      ["duckdb", "remote"],
    ],
    comment:
      "One engine knows nothing of another; what a cluster runs is asked over HTTP in one way, each service in its own language.",
  },
  load: {
    levels: [
      ["files", "landings"],
      ["history", "listing", "reference"],
      ["lines", "rules"],
    ],
    comment: "What is loaded is chosen above; how lines and rules are read is said once, below.",
  },
  build: {
    levels: [["lake", "trino"]],
    comment: "What fills core from a lake runs on any engine; a cluster's tables are made for any fill.",
  },
  state: {
    levels: [["client", "data"]],
    comment:
      "The client's state is of the user, whatever data folder is collected into: neither knows the other.",
  },
  publish: {
    levels: [
      ["versions", "lake", "branch"],
      ["dictionary", "files"],
    ],
    comment: "A version and a machine's part of a lake are made of files, which know neither.",
  },
  report: {
    levels: [
      ["subjects"],
      ["format"],
      ["html", "query", "rows"],
      ["overview"],
      ["compare"],
      ["findings", "address"],
      ["options"],
      ["columns", "published"],
      ["text"],
    ],
    comment:
      "Rows are made without knowing how they will be shown, and a page without knowing who asked for it.",
  },
  serve: {
    levels: [["views"], ["frame"], ["requests"], ["security", "versions"]],
    comment:
      "A view has a frame around it and is asked for by a request; who may ask, and what is read, knows no view.",
  },
  "report/format": {
    levels: [["binary", "table", "xlsx"]],
    comment: "One format needs nothing of another.",
  },
  "report/html": {
    levels: [["frame", "pages"], ["charts"]],
    comment:
      "A report's page names the charts that it wants, and not what stands around every page; a chart knows no page.",
  },
  util: {
    levels: [["files"], ["text"]],
    comment: "Words for numbers need no file.",
  },
  cli: {
    levels: [["commands"], ["api"], ["results"]],
    comment: "A command parses, calls and prints: what it prints with knows no command.",
  },
  "cli/commands": {
    levels: [["answers", "daily", "keeping", "service", "start"]],
    comment: "A command calls no other: what several need lies beside the folder of commands.",
  },
};

const roomRules = Object.entries(rooms).flatMap(([folder, { levels, comment }]) =>
  levels.flat().flatMap((room) => {
    const depth = levels.findIndex((level) => level.includes(room));
    const others = levels
      .slice(0, depth + 1)
      .flat()
      .filter((other) => other !== room);
    if (others.length === 0) return [];
    const name = `${folder.replaceAll("/", "-")}-${room}-imports-downwards`;
    return forbid(
      name,
      comment,
      [`${folder}/${room}`],
      others.map((other) => `${folder}/${other}`),
    );
  }),
);

/** @type {import("dependency-cruiser").IConfiguration} */
export default {
  forbidden: [
    ...stages.map((stage) =>
      forbid(
        `${stage}-meets-other-stages-in-files-and-tables`,
        "A stage hands on files or tables; only pipeline/, doctor/, backup/ and login/ join several.",
        [stage],
        stages.filter((other) => other !== stage),
      ),
    ),
    forbid(
      "stages-know-no-recipe",
      "A stage does not know what it is used for, nor that there is a command line.",
      stages,
      ["main", "cli", ...recipes],
    ),
    forbid("recipes-know-no-terminal", "Only cli/ knows terminals, colours and exit codes.", recipes, [
      "main",
      "cli",
    ]),
    forbid(
      "the-daily-job-tries-and-asks-nothing",
      "What doctor/ tries, backup/ keeps and login/ asks is for people; a run goes without.",
      ["pipeline"],
      ["doctor", "backup", "login"],
    ),
    forbid(
      "workspace-knows-no-work",
      "It opens what the settings name: the data folder, the warehouse, the clients. What is done with them is above it.",
      ["workspace"],
      ["main", "cli", ...recipes, ...stages],
    ),
    forbid(
      "reports-open-no-warehouse",
      "Whoever has it open shuts out all others: a report reads what is published, and waits for nobody.",
      ["report"],
      ["workspace"],
    ),
    forbid(
      "pages-read-what-is-published",
      "Nothing is computed twice, collected or written for a page: it shows reports of what is published.",
      ["serve"],
      [
        "workspace",
        "api",
        "lake",
        ...stages.filter((stage) => stage !== "report"),
        "pipeline",
        "doctor",
        "login",
      ],
    ),
    forbid("nobody-imports-main", "It starts the program, and that is all.", ["cli"], ["main"]),
    forbid(
      "mart-says-what-it-looks-like",
      "What the stages share of the mart's shape: they use it, and it knows none of them.",
      ["mart"],
      ["main", "cli", ...recipes, "workspace", "lake", "api", "state", "config", ...stages],
    ),
    forbid(
      "lake-says-what-it-looks-like",
      "What publishing and building share of the lake's shape: they use it, and it knows neither.",
      ["lake"],
      ["main", "cli", ...recipes, "workspace", "api", "state", "config", ...stages],
    ),
    forbid(
      "client-stands-alone",
      "The client serves other programs too: it needs its own state, and nothing of the pipeline.",
      ["api"],
      ["main", "cli", ...recipes, "workspace", "mart", "lake", "state/data", ...stages],
    ),
    forbid(
      "client-and-emulator-share-nothing",
      "What both believed of the service could be wrong in both.",
      ["emulator"],
      ["api", "workspace", "mart", "lake", "state", "engines", "config"],
    ),
    forbid(
      "state-and-engines-are-tools",
      "They are used by everything above, and know nothing of it.",
      ["state", "engines"],
      ["main", "cli", ...recipes, "workspace", "mart", "lake", "api", ...stages],
    ),
    forbid("state-and-engines-are-apart", "SQLite and DuckDB each have one job.", ["state"], ["engines"]),
    forbid("engines-and-state-are-apart", "SQLite and DuckDB each have one job.", ["engines"], ["state"]),
    forbid(
      "settings-know-no-work",
      "Settings are read by everything, and read nothing but the environment.",
      ["config"],
      ["main", "cli", ...recipes, "workspace", "mart", "lake", "api", "state", "engines", ...stages],
    ),
    forbid(
      "util-knows-nothing-of-this-domain",
      "Clock, files and logging would serve any program.",
      ["util"],
      [
        "main",
        "cli",
        ...recipes,
        "workspace",
        "mart",
        "lake",
        "api",
        "state",
        "engines",
        "config",
        ...stages,
      ],
    ),
    forbid(
      "who-examines-mends-nothing",
      "`venue doctor` tries each part and mends none; `--repair` is a run of its own.",
      ["doctor/(?!repair/)[^/]+"],
      ["doctor/repair"],
    ),
    forbid(
      "who-mends-looks-for-itself",
      "What `venue doctor` says is for people: it is no basis for what `--repair` does.",
      ["doctor/repair"],
      ["doctor/(?!repair/)[^/]+"],
    ),
    ...roomRules,
    {
      name: "no-cycles",
      comment: "What imports itself over others can't be read top to bottom.",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    {
      name: "nothing-unresolved",
      comment: "An import that can't be found would hide what it points to.",
      severity: "error",
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    parser: "swc",
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "node", "default"] },
  },
};
