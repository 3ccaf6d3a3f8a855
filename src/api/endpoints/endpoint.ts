import type { z } from "zod";
import { emptyPage, type Page, pageOf } from "../records/page.ts";
import type { StatusList } from "../records/status.ts";
import type { Cancellable, Input, ListInput, ReadInput } from "./inputs.ts";

/** One endpoint of the service. The client's methods, `venue api` and a table in the docs are derived from it. */
interface EndpointFacts<Spec extends string> {
  method: "GET" | "POST" | "DELETE";
  /** Relative to the API's root. `{name}` stands for a parameter, `{owner}` for `group` or `zone`. */
  path: string;
  /**
   * The client's parameter names, separated by blanks; `?` marks an optional one. If the first is `owner`, the
   * client has one method with `groupId` and one with `zoneId`.
   */
  parameters: Spec;
  summary: string;
}

/** An endpoint whose response is an array. Its elements are streamed. */
export interface ListEndpoint<Spec extends string, Item> extends EndpointFacts<Spec> {
  item: z.ZodType<Item>;
}

/** An endpoint that returns one value, such as a page. */
export interface ReadEndpoint<Spec extends string, Result> extends EndpointFacts<Spec> {
  schema: z.ZodType<Result>;
  /** Result for a response without content (204). If it is not set, such a response is an error. */
  noContent?: unknown;
  /** Number of attempts. The request may be repeated: although it is a POST, it changes nothing. */
  attempts?: number;
  /** True if the response must not come from a cache. */
  isFresh?: true;
}

/** An endpoint of the status API that returns a page of records. */
export interface StatusListEndpoint<Spec extends string, Item> extends EndpointFacts<Spec> {
  /** Name of the array in the response. */
  listName: string;
  item: z.ZodType<Item>;
}

/** An endpoint that changes something. */
export interface CommandEndpoint<Spec extends string> extends EndpointFacts<Spec> {
  /** Effect as a sentence with `{name}` placeholders, for confirmations. */
  effect: string;
  /** Documented response. */
  response: true | object;
}

export type Endpoint =
  | ListEndpoint<string, unknown>
  | ReadEndpoint<string, unknown>
  | StatusListEndpoint<string, unknown>
  | CommandEndpoint<string>;

export type Endpoints = Readonly<Record<string, Endpoint>>;

export function list<const Spec extends string, Item>(
  path: string,
  parameters: Spec,
  item: z.ZodType<Item>,
  summary: string,
): ListEndpoint<Spec, Item> {
  return { method: "GET", path, parameters, summary, item };
}

export function read<const Spec extends string, Result>(
  path: string,
  parameters: Spec,
  schema: z.ZodType<Result>,
  summary: string,
): ReadEndpoint<Spec, Result> {
  return { method: "GET", path, parameters, summary, schema };
}

export function page<const Spec extends string, Item>(
  path: string,
  parameters: Spec,
  item: z.ZodType<Item>,
  summary: string,
): ReadEndpoint<`${Spec} limit? offset?`, Page<Item>> {
  return {
    ...read(path, `${parameters} limit? offset?` as const, pageOf(item), summary),
    noContent: emptyPage,
  };
}

export function statusList<const Spec extends string, Item>(
  listName: string,
  parameters: Spec,
  item: z.ZodType<Item>,
  summary: string,
): StatusListEndpoint<`${Spec} page?`, Item> {
  return { method: "GET", path: listName, parameters: `${parameters} page?`, summary, listName, item };
}

export function command<const Spec extends string>(
  target: `${"POST" | "DELETE"} ${string}`,
  parameters: Spec,
  summary: string,
  effect: string,
  response: true | object = true,
): CommandEndpoint<Spec> {
  const [method, path] = target.split(" ") as ["POST" | "DELETE", string];
  return { method, path, parameters, summary, effect, response };
}

type Method<Of, Owner extends string = "owner"> =
  Of extends StatusListEndpoint<infer Spec, infer Item>
    ? (input?: Input<Spec> & ListInput) => Promise<StatusList<Item>>
    : Of extends ListEndpoint<infer Spec, infer Item>
      ? (input: OwnedInput<Spec, Owner> & ListInput) => AsyncGenerator<Item, void, undefined>
      : Of extends ReadEndpoint<infer Spec, infer Result>
        ? (...input: Arguments<Input<Spec> & ReadInput>) => Promise<Result>
        : Of extends CommandEndpoint<infer Spec>
          ? (input: OwnedInput<Spec, Owner> & Cancellable) => Promise<void>
          : never;

/** The input may be omitted if all parameters are optional. */
type Arguments<Given> = Partial<Given> extends Given ? [input?: Given] : [input: Given];

type OwnedInput<Spec extends string, Owner extends string> = Input<
  Spec extends `owner${infer Rest}` ? `${Owner}${Rest}` : Spec
>;

interface OwnerParameters {
  parameters: `owner${string}`;
}

/** The methods of a group of endpoints: one per endpoint, or one per kind of owner, e.g. `assetsOfGroup`. */
export type Methods<Group> = {
  [Name in keyof Group as Group[Name] extends OwnerParameters ? never : Name]: Method<Group[Name]>;
} & {
  [Name in keyof Group & string as Group[Name] extends OwnerParameters ? `${Name}Group` : never]: Method<
    Group[Name],
    "groupId"
  >;
} & {
  [Name in keyof Group & string as Group[Name] extends OwnerParameters ? `${Name}Zone` : never]: Method<
    Group[Name],
    "zoneId"
  >;
};
