// Fills dist/ with what `npm pack` ships: the program in few files, and the types of the client.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { build } from "rolldown";

const { dependencies } = JSON.parse(readFileSync("package.json", "utf8"));
const libraries = Object.keys(dependencies);

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
      groups: [{ name: "rules", test: /src\/load\/rules\//, includeDependenciesRecursively: false }],
    },
    comments: false,
    // Functions and classes keep their names, for stack traces.
    minify: { compress: false, mangle: { keepNames: true }, codegen: { removeWhitespace: true } },
  },
});
await import("./.commit.mjs");
execFileSync("npm", ["run", "--silent", "build:types"], { stdio: "inherit" });
removeUnusedTypes("dist/api/venue-analytics.d.ts");

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
