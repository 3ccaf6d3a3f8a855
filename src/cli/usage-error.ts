/** What the option parser says, each with what is said instead. */
const sentences: readonly (readonly [RegExp, (...parts: string[]) => string])[] = [
  [/^unknown option '(.+)'$/, (flag) => `There is no flag ${flag}.`],
  [/^unknown command '(.+)'$/, (word) => `There is no command "${word}".`],
  [
    /^option '(?:-\w, )?(\S+).*' argument '([\s\S]*)' is invalid\. ([\s\S]*)$/,
    (flag, value, why) => `${flag} does not take "${value}". ${why}`,
  ],
  [
    /^command-argument value '([\s\S]*)' is invalid for argument '(.+)'\. ([\s\S]*)$/,
    (value, name, why) => `There is no ${name} "${value}". ${why}`,
  ],
  [/^option '((\S+).*)' argument missing$/, (form, flag) => `${flag} needs a value: ${form}.`],
  [/^required option '(.+)' not specified$/, (form) => `${form} is missing.`],
  [/^missing required argument '(.+)'$/, (name) => `<${name}> is missing.`],
  [
    /^too many arguments.* Expected (\d+) arguments? but got (\d+).*$/,
    (taken, given) => `Too many words: it takes ${taken === "0" ? "none" : `${taken}, not ${given}`}.`,
  ],
];

/**
 * One message about wrong arguments: what is wrong, what was meant, and where to read on.
 * @param complaint as the option parser wrote it, from `error: ` on
 * @param command whose help tells more, e.g. `venue report`
 */
export function explainUsage(complaint: string, command: string): string {
  const [problem = "", ...meant] = complaint.slice("error: ".length).trim().split("\n");
  const sentence = sentences.flatMap(([pattern, say]) => {
    const found = pattern.exec(problem);
    return found ? [say(...found.slice(1))] : [];
  })[0];
  const suggestions = meant.map((line) => ` ${line.replaceAll(/^\(|\)$/g, "")}`).join("");
  return `${sentence ?? `${problem}.`}${suggestions} See \`${command} --help\`.`;
}
