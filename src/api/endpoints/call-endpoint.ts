import { z } from "zod";
import { UnexpectedResponseError } from "../errors.ts";
import { commandResponse } from "../records/page.ts";
import { parseListedRecord } from "../records/parse-record.ts";
import { type StatusList, statusListOf } from "../records/status.ts";
import type { Service } from "../service.ts";
import { pathSegment } from "../transport/service-address.ts";
import { openUpload } from "../transport/upload-file.ts";
import type { Endpoint, Endpoints, Methods } from "./endpoint.ts";
import type { ListInput, ParameterValues } from "./inputs.ts";

type AnyInput = ListInput & { [Key in keyof ParameterValues]?: ParameterValues[Key] | undefined };

/** Returns one method per endpoint, or two if the endpoint is for groups and zones. */
export function createMethods<Group extends Endpoints>(service: Service, group: Group): Methods<Group> {
  const methods = Object.entries(group).flatMap(([name, endpoint]) =>
    listVariants(name, endpoint).map(([variant, concrete]) => [
      variant,
      (input: AnyInput = {}) => callEndpoint(service, concrete, input),
    ]),
  );
  return Object.fromEntries(methods);
}

/**
 * Returns an endpoint with its method name. An endpoint with an owner has one variant for groups and one for
 * zones.
 */
export function listVariants(name: string, endpoint: Endpoint): [method: string, concrete: Endpoint][] {
  if (!endpoint.parameters.startsWith("owner")) return [[name, endpoint]];
  return (["Group", "Zone"] as const).map((owner) => {
    const word = owner.toLowerCase();
    const path = endpoint.path.replace("{owner}", word);
    return [
      `${name}${owner}`,
      { ...endpoint, path, parameters: endpoint.parameters.replace("owner", `${word}Id`) },
    ];
  });
}

/** Sends the request of an endpoint. Returns a promise or, for a list, a generator. */
export function callEndpoint(service: Service, endpoint: Endpoint, input: AnyInput): unknown {
  const { method } = endpoint;
  const { signal, isFresh, onProduced, onInvalidRecord } = input;
  const path = service.prefix + fillIn(endpoint.path, input);
  const fields = toFields(endpoint, input);
  if ("effect" in endpoint) {
    return runCommand(service, { method, path, signal }, fields, input.file);
  }
  const read = { method, path, query: fields, onProduced, signal };
  if ("listName" in endpoint) return listStatusRecords(service, endpoint, { ...read, isFresh }, input);
  if ("item" in endpoint) {
    return service.list({ ...read, item: endpoint.item, isFresh, onInvalidRecord });
  }
  const { schema, noContent, attempts } = endpoint;
  const body = method === "POST" ? { query: {}, body: fields, isRepeatable: true } : {};
  return service.request({
    ...read,
    ...body,
    schema,
    noContent,
    attempts,
    isFresh: endpoint.isFresh ?? isFresh,
  });
}

async function runCommand(
  service: Service,
  target: { method: Endpoint["method"]; path: string; signal: AbortSignal | undefined },
  fields: Readonly<Record<string, Field>>,
  file: string | undefined,
): Promise<void> {
  const json = Object.keys(fields).length > 0 ? fields : undefined;
  const body = file === undefined ? json : await openUpload(file, fields);
  await service.request({ ...target, ...(body ? { body } : {}), ...commandResponse });
}

/** Fetches a page. Always uses the documented path, even if a next link has another path. */
async function listStatusRecords(
  service: Service,
  { listName, item }: Extract<Endpoint, { listName: string }>,
  request: Pick<
    Parameters<Service["request"]>[0],
    "method" | "path" | "query" | "isFresh" | "onProduced" | "signal"
  >,
  { page = 1, onInvalidRecord }: AnyInput,
): Promise<StatusList<unknown>> {
  const target = { method: "GET", path: request.path, root: "status" } as const;
  const schema = statusListOf(listName, onInvalidRecord ? z.unknown() : item);
  const list = await service.request({ ...request, schema });
  if (list.next !== undefined && list.next <= page) {
    throw new UnexpectedResponseError(target, `meta.next_page points back to page ${list.next}`, {
      recordPath: "meta.next_page",
    });
  }
  if (!onInvalidRecord) return list;
  const records = list.records.flatMap((record, index) => {
    const parsed = parseListedRecord(item, record, target, { at: [listName, index], onInvalidRecord });
    return parsed instanceof UnexpectedResponseError ? [] : [parsed];
  });
  return { ...list, records };
}

type Field = string | number | true;

function fillIn(path: string, input: AnyInput): string {
  return path.replace(/\{(\w+)\}/g, (_, key: keyof ParameterValues) => pathSegment(String(input[key])));
}

/** Returns the parameters outside the path, keyed by the service's names. */
function toFields({ path, parameters }: Endpoint, input: AnyInput): Record<string, Field> {
  const keys = parameters.replaceAll("?", "").split(" ") as (keyof ParameterValues)[];
  return Object.fromEntries(
    keys
      .filter((key) => key !== "file" && !path.includes(`{${key}}`))
      .filter((key) => input[key] !== undefined && input[key] !== false)
      .map((key) => [toServiceName(key), input[key] as Field]),
  );
}

const otherNames: Readonly<Record<string, string>> = {
  durationMinutes: "duration",
  isTopLevel: "filter[parent_id_null]",
  parentId: "filter[parent_id_eq]",
  type: "filter[type_eq]",
  timelineState: "filter[timeline_state_eq]",
};

/** Converts a parameter's name, e.g. `zoneId` to `zone_id`. */
export function toServiceName(key: string): string {
  return otherNames[key] ?? key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
