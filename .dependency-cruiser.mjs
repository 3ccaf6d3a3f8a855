/** Stages, in the order in which data passes them. */
const stages = ["extract", "load", "build", "publish", "report", "emulator"];
/** What joins stages: recipes, what `venue doctor` tries and mends, and the login. */
const recipes = ["pipeline", "doctor", "login"];

function forbid(name, comment, from, to) {
  return {
    name,
    comment,
    severity: "error",
    from: { path: `^src/(${from.join("|")})(/|\\.ts)` },
    to: { path: `^src/(${to.join("|")})(/|\\.ts)` },
  };
}

/** @type {import("dependency-cruiser").IConfiguration} */
export default {
  forbidden: [
    ...stages.map((stage) =>
      forbid(
        `${stage}-meets-other-stages-in-files-and-tables`,
        "A stage hands on files or tables; only pipeline/, doctor/ and login/ join several.",
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
      "What doctor/ tries and login/ asks is for people; a run goes without.",
      ["pipeline"],
      ["doctor", "login"],
    ),
    forbid(
      "workspace-knows-no-work",
      "It opens what the settings name: the data folder, the warehouse, the clients. What is done with them is above it.",
      ["workspace"],
      ["main", "cli", ...recipes, ...stages],
    ),
    forbid("nobody-imports-main", "It starts the program, and that is all.", ["cli"], ["main"]),
    forbid(
      "mart-says-what-it-looks-like",
      "What the stages share of the mart's shape: they use it, and it knows none of them.",
      ["mart"],
      ["main", "cli", ...recipes, "workspace", "api", "state", "config", ...stages],
    ),
    forbid(
      "client-stands-alone",
      "The client serves other programs too: it needs its state, and nothing of the pipeline.",
      ["api"],
      ["main", "cli", ...recipes, "workspace", "mart", ...stages],
    ),
    forbid(
      "client-and-emulator-share-nothing",
      "What both believed of the service could be wrong in both.",
      ["emulator"],
      ["api", "workspace", "mart", "state", "engines", "config"],
    ),
    forbid(
      "state-and-engines-are-tools",
      "They are used by everything above, and know nothing of it.",
      ["state", "engines"],
      ["main", "cli", ...recipes, "workspace", "mart", "api", ...stages],
    ),
    forbid("state-and-engines-are-apart", "SQLite and DuckDB each have one job.", ["state"], ["engines"]),
    forbid("engines-and-state-are-apart", "SQLite and DuckDB each have one job.", ["engines"], ["state"]),
    forbid(
      "settings-know-no-work",
      "Settings are read by everything, and read nothing but the environment.",
      ["config"],
      ["main", "cli", ...recipes, "workspace", "mart", "api", "state", "engines", ...stages],
    ),
    forbid(
      "util-knows-nothing-of-this-domain",
      "Clock, files and logging would serve any program.",
      ["util"],
      ["main", "cli", ...recipes, "workspace", "mart", "api", "state", "engines", "config", ...stages],
    ),
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
