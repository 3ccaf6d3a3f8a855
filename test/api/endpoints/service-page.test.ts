import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { toServiceName } from "../../../src/api/endpoints/call-endpoint.ts";
import type { Endpoint } from "../../../src/api/endpoints/endpoint.ts";
import { endpoints, statusEndpoints } from "../../../src/api/endpoints/endpoints.ts";

const servicePage = readFileSync(new URL("../../../docs/service.md", import.meta.url), "utf8");

function toRow({ parameters, ...endpoint }: Endpoint): string[] {
  const path = endpoint.path
    .replace("messaging/", "KIND/")
    .replace("{owner}", "group, …/zone")
    .replace(/\{(\w+)\}/g, (_, key) => toServiceName(key).toUpperCase());
  const inputs = parameters
    .split(" ")
    .filter((word) => word === "owner" || !endpoint.path.includes(`{${word}}`))
    .filter((word) => word !== "")
    .map((word) => {
      if (word === "owner") return "group_id* or zone_id*";
      return word.endsWith("?") ? toServiceName(word.slice(0, -1)) : `${toServiceName(word)}*`;
    });
  return [endpoint.method, path, inputs.join(", "), describeResponse({ ...endpoint, parameters })];
}

function describeResponse(endpoint: Endpoint): string {
  if ("effect" in endpoint) return JSON.stringify(endpoint.response);
  if ("listName" in endpoint) return `${endpoint.listName}, meta`;
  if ("item" in endpoint) return "array";
  if (endpoint.parameters.includes("limit?")) return "page";
  return endpoint.schema.safeParse([]).success ? "array" : "object";
}

function formatTable(listed: Endpoint[]): string {
  const rows = listed.map(toRow);
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  "));
  return lines.map((line) => line.trimEnd()).join("\n");
}

const { signage: _, ...groups } = endpoints;

it.each<[string, Endpoint[]]>([
  ["main", Object.values(groups).flatMap((group) => Object.values<Endpoint>(group))],
  ["status", Object.values(statusEndpoints)],
])("docs/service.md lists the endpoints of the %s API", (_api, listed) => {
  expect(servicePage).toContain(`\`\`\`text\n${formatTable(listed)}\n\`\`\``);
});
