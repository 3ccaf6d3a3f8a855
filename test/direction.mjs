// Checks that imports point one way (see `.dependency-cruiser.mjs`), and that the check saw the code at all: beside
// some compilers the tool finds no module and is content.
import { cruise } from "dependency-cruiser";
import configuration, { rooms } from "../.dependency-cruiser.mjs";

const { output } = await cruise(["src"], {
  ruleSet: { forbidden: configuration.forbidden },
  ...configuration.options,
  validate: true,
});
const modules = output.modules.filter(({ source }) => source.startsWith("src/"));
const imports = modules.flatMap(({ dependencies }) => dependencies);
const { violations } = output.summary;
for (const { rule, from, to } of violations) {
  const { comment } = configuration.forbidden.find(({ name }) => name === rule.name);
  process.stderr.write(`${from} → ${to}: ${rule.name}. ${comment}\n`);
}
/** Rooms that rules speak of and nobody lives in, or the reverse. */
const misnamed = Object.entries(rooms).flatMap(([folder, { levels }]) => {
  const prefix = `src/${folder}/`;
  const below = modules.flatMap(({ source }) =>
    source.startsWith(prefix) ? (/^([^/]+)\//.exec(source.slice(prefix.length))?.[1] ?? []) : [],
  );
  const levelled = levels.flat();
  const differing = [...new Set([...below, ...levelled])].filter(
    (room) => !below.includes(room) || !levelled.includes(room),
  );
  return differing.map((room) => prefix + room);
});
for (const room of misnamed) {
  process.stderr.write(`${room} is a folder or has a level in .dependency-cruiser.mjs, but not both.\n`);
}
if (modules.length < 50 || imports.length < modules.length) {
  process.stderr.write(
    `Only ${modules.length} modules with ${imports.length} imports were seen: the check is blind.\n`,
  );
  process.exitCode = 1;
} else if (violations.length + misnamed.length > 0) {
  process.exitCode = 1;
} else {
  process.stdout.write(
    `Import direction: ${modules.length} modules, ${imports.length} imports, all point one way.\n`,
  );
}
