import type { Candidate, CommandNode, Values } from "./command-tree.ts";

/** Answers of a shell function, by its argument: one line per candidate. */
export type Table = { keys: string[]; lines: string[] }[];

/** The tables that the scripts of all shells look into. */
export interface Tables {
  /** Every path that is a command. */
  commands: string[];
  /** By path: what may come beside flags. */
  words: Table;
  /** By path. Those that help hides stand under `settings`. */
  flags: Table;
  /** By `path:flag`, or `settings:flag`: what its value may be. No answer: a switch, or no such flag. */
  values: Table;
}

/**
 * @param separator between a candidate and its description
 */
export function tablesOf(nodes: readonly CommandNode[], separator: string): Tables {
  const lineOf = ({ name, description }: Candidate) => {
    const text = description.replace(/\s+/g, " ").trim();
    return text ? `${name}${separator}${text}` : name;
  };
  const linesOf = (values: Values) => {
    if (typeof values === "string") return [`@${values}`];
    return values.map(lineOf);
  };
  const hidden = nodes.flatMap(({ hiddenFlags }) => hiddenFlags);
  const groups = [...nodes.map(({ path, flags }) => ({ path, flags })), { path: "settings", flags: hidden }];
  return {
    commands: nodes.map(({ path }) => path).filter((path) => path !== ""),
    words: grouped(nodes.map(({ path, words }) => [path, linesOf(words)])),
    flags: grouped(groups.map(({ path, flags }) => [path, flags.map(lineOf)])),
    values: grouped(
      groups.flatMap(({ path, flags }) =>
        flags.flatMap(({ name, values }): [string, string[]][] =>
          values === undefined ? [] : [[`${path}:${name}`, linesOf(values)]],
        ),
      ),
    ),
  };
}

/** Keys with the same answer stand together. */
function grouped(entries: [string, string[]][]): Table {
  const byAnswer = new Map<string, { keys: string[]; lines: string[] }>();
  for (const [key, lines] of entries) {
    if (lines.length === 0) continue;
    const answer = lines.join("\n");
    const group = byAnswer.get(answer) ?? { keys: [], lines };
    group.keys.push(key);
    byAnswer.set(answer, group);
  }
  return [...byAnswer.values()];
}
