// Checks the import rules of `.dependency-cruiser.mjs`, and that the check found modules: with an unsupported
// compiler, the tool finds none and passes.
import { cruise } from "dependency-cruiser";
import configuration from "../.dependency-cruiser.mjs";

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
  process.stderr.write(`${from} → ${to}: ${rule.name}. ${comment ?? ""}\n`);
}
if (modules.length < 50 || imports.length < modules.length) {
  process.stderr.write(`Only ${modules.length} modules with ${imports.length} imports were found.\n`);
  process.exitCode = 1;
} else if (violations.length > 0) {
  process.exitCode = 1;
} else {
  process.stdout.write(
    `Import direction: ${modules.length} modules, ${imports.length} imports follow the rules.\n`,
  );
}
