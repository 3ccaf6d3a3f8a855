import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { parse } from "yaml";

const root = new URL("../../", import.meta.url);
const read = (name: string) => readFileSync(new URL(name, root), "utf8");

it("the image has everything that the package has", () => {
  const { files }: { files: string[] } = JSON.parse(read("package.json"));
  const copied = [...read("Dockerfile").matchAll(/^COPY --from=build (.*) \S+$/gm)].flatMap(
    ([, sources = ""]) => sources.split(" ").map((source) => source.replace("/app/", "")),
  );
  for (const file of files.filter((name) => !name.startsWith("!")))
    expect(
      copied.some((source) => file === source || file.startsWith(`${source}/`)),
      file,
    ).toBe(true);
  // Only these reach the builder.
  const sent = read(".dockerignore").split("\n");
  for (const source of copied.filter((name) => name !== "dist" && name !== "node_modules"))
    expect(
      sent.some((line) => `${source}/`.startsWith(`${line.slice(1)}/`) || line.startsWith(`!${source}/`)),
      source,
    ).toBe(true);
});

it("containers run without privileges, on a read-only file system, and serve asks for a token", () => {
  const { services } = parse(read("compose.yaml"), { merge: true });
  expect(Object.keys(services)).toEqual(["schedule", "serve"]);
  for (const service of Object.values(services))
    expect(service).toMatchObject({ read_only: true, cap_drop: ["ALL"], volumes: ["data:/data"] });
  expect(services.serve.command).toEqual(["venue", "serve", "--token-file", "/run/secrets/token"]);
  expect(read("Dockerfile")).toMatch(/^USER 1000:1000$/m);
});

it("set-up logs in before the containers start, and secrets can be mounted", () => {
  for (const page of ["compose.yaml", "docs/operator.md"]) {
    const steps = ["docker compose build", "run --rm schedule venue login", "docker compose up"];
    expect(read(page), page).toMatch(new RegExp(steps.join("[^]*")));
  }
  const { services, secrets } = parse(
    read("compose.yaml").replaceAll(/# (secrets|smtp-password| {2}file):/g, "$1:"),
    {
      merge: true,
    },
  );
  expect(services.schedule.secrets).toEqual(["smtp-password"]);
  expect(secrets["smtp-password"]).toEqual({ file: "./smtp-password" });
});
