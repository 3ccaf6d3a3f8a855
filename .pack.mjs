// Fills dist/ with what `npm pack` ships: the program in few files, and the types of the client.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { build } from "rolldown";

const { dependencies } = JSON.parse(readFileSync("package.json", "utf8"));
const libraries = Object.keys(dependencies);
const sets = [];

rmSync("dist", { recursive: true, force: true });
await build({
  input: {
    main: "src/main.ts",
    "api/venue-analytics": "src/api/venue-analytics.ts",
    // A thread: it has to lie beside the file that starts it.
    "chunks/piece-thread": "src/load/history/pieces/piece-thread.ts",
  },
  platform: "node",
  external: (name) => libraries.some((library) => name === library || name.startsWith(`${library}/`)),
  preserveEntrySignatures: "allow-extension",
  logLevel: "warn",
  output: {
    dir: "dist",
    // What is loaded when it is needed stays a file of its own.
    chunkFileNames: ({ name }) => (name === "rules" ? "rules/rules.js" : "chunks/[name].js"),
    codeSplitting: {
      // Rules that were expanded by other code are expanded again: that code lies in a folder of its own.
      groups: [
        { name: "rules", test: /src\/load\/rules\//, includeDependenciesRecursively: false },
        // Commands, reports, their pages and the texts that they are written as are small, and alike: together they take less
        // room.
        { name: "commands", test: /src\/cli\/commands\//, includeDependenciesRecursively: false },
        { name: "rows", test: /src\/report\/rows\//, includeDependenciesRecursively: false },
        { name: "pages", test: /src\/report\/html\/pages\//, includeDependenciesRecursively: false },
        {
          name: "formats",
          test: /src\/report\/format\/(format-(csv|json|markdown)|table\/)/,
          includeDependenciesRecursively: false,
        },
        // What several commands need lies together by the libraries that it loads, so that none loads one it has no need of.
        {
          name: (file) => `shared${sharedWith(librariesOf(file))}`,
          minShareCount: 2,
          includeDependenciesRecursively: false,
        },
      ],
    },
    comments: false,
    // Functions and classes keep their names, for stack traces.
    minify: { compress: true, mangle: { keepNames: true }, codegen: { removeWhitespace: true } },
  },
});
passOn("dist/chunks");
// Hundreds of small files take as much room again for their names, and Brotli a fifth less than the package's own gzip. Each
// name stands before its text; what lies between takes less room than JSON's escapes.
const statements = readdirSync("sql", { recursive: true }).filter((name) => name.endsWith(".sql"));
const sql = statements.sort().flatMap((name) => [name, statement(name)]);
writeFileSync("dist/sql.br", brotliCompressSync(sql.join("\0")));
await import("./.commit.mjs");
execFileSync("npm", ["run", "--silent", "build:types"], { stdio: "inherit" });
removeUnusedTypes("dist/api/venue-analytics.d.ts");

/**
 * The text of a file of SQL: of a migration, whose hash is checked, all of it, else without comments but for headers that
 * are read, in one line below these. Reports, which users download, keep their lines.
 */
function statement(name) {
  const text = readFileSync(join("sql", name), "utf8");
  if (/^(state|warehouse)\//.test(name)) return text;
  const [header] = /^(--.*\n)*/.exec(text);
  const body = text.slice(header.length).replaceAll(/^ *--.*\n| +--.*$/gm, "");
  if (body.includes("--")) throw new Error(`sql/${name}: a comment was left, which would hide what follows`);
  const lines = body.trim().replaceAll(/\s*\n\s*/g, "\n");
  const shipped = name.startsWith("reports/")
    ? lines
    : lines.replaceAll(/(?<=\()\n|\n(?=\))/g, "").replaceAll("\n", " ");
  return `${readOf(name, header)}\n${shipped}`;
}

/** What the program reads of a header. */
function readOf(name, header) {
  if (/^(load|publish|sync)\//.test(name)) return "";
  return /^(build|filters|lake)\//.test(name)
    ? (/^-- Reads:.*\n(?:-- {3}.*\n)*/m.exec(header)?.[0] ?? "")
    : header;
}

/** Files that only pass on what lies in another one go: who imports them, from beside or from above, takes it from there. */
function passOn(folder) {
  const above = "../main.js";
  const texts = new Map(
    [above, ...readdirSync(folder)].map((name) => [name, readFileSync(join(folder, name), "utf8").trim()]),
  );
  for (const [name, text] of texts) {
    const [, list, source] = /^export\{([^{}]*)\}from"\.\/([^"]*)";$/.exec(text) ?? [];
    const pathIn = (user) => (user === above ? "./chunks/" : "./");
    const importIn = (user) => `import(\`${pathIn(user)}${name}\`)`;
    const users = [...texts].filter(([user, other]) => other.includes(`${pathIn(user)}${name}`));
    // Not where anything but such an import takes it.
    const isMuch = ([user, other]) =>
      other.split(importIn(user)).length !== other.split(`${pathIn(user)}${name}`).length;
    if (list === undefined || users.length === 0 || users.some(isMuch)) continue;
    const pairs = list.split(",").map((pair) => pair.split(" as "));
    const taken = pairs.map(([from, to = from]) => `${from}:${to}`);
    const given = pairs.map(([from, to = from]) => to);
    for (const [user, other] of users) {
      const direct = `import(\`${pathIn(user)}${source}\`).then(({${taken}})=>({${given}}))`;
      texts.set(user, other.replaceAll(importIn(user), direct));
    }
    texts.delete(name);
    rmSync(join(folder, name));
  }
  for (const [name, text] of texts) writeFileSync(join(folder, name), `${text}\n`);
}

/** Whose libraries come with a file, by it or by what it imports. */
function librariesOf(file) {
  const seen = new Set(existsSync(file) ? [file] : []); // The bundler has files of its own.
  const found = new Set();
  for (const one of seen) {
    const code = readFileSync(one, "utf8").replaceAll(/^import type .*|typeof import\(.*?\)/gm, "");
    for (const [, name] of code.matchAll(/"([^"\n]+)"/g))
      if (libraries.some((library) => name === library || name.startsWith(`${library}/`))) found.add(name);
    for (const [, name] of code.matchAll(/^(?:import|export|\}) .*?"(\.[^"]+)";$/gm))
      seen.add(join(dirname(one), name));
  }
  return [...new Set([...found].map((name) => /\w+/.exec(name)[0]))].sort().join();
}

/** A number for each set of libraries: names of files are in every file that imports them. */
function sharedWith(set) {
  if (!sets.includes(set)) sets.push(set);
  return sets.indexOf(set);
}

/** Removes the types that nothing in the types of the client refers to. */
function removeUnusedTypes(entry) {
  const used = new Set([entry]);
  for (const file of used) {
    for (const [, path] of readFileSync(file, "utf8").matchAll(/(?:from |import\()"(\.[^"]+)\.[jt]s"/g))
      used.add(join(dirname(file), `${path}.d.ts`));
  }
  for (const name of readdirSync("dist", { recursive: true })) {
    const file = join("dist", name);
    if (name.endsWith(".d.ts") && !used.has(file)) rmSync(file);
  }
}
