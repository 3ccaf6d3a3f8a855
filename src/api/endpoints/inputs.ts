import type { Kind } from "../../util/kind.ts";
import type { OnInvalidRecord } from "../records/parse-record.ts";
import type { Production } from "../transport/request.ts";

/** Every method can be cancelled. An abort ends waits and transfers at once, and its reason is thrown. */
export interface Cancellable {
  signal?: AbortSignal | undefined;
}

export interface ReadInput extends Cancellable {
  /** Bypasses the cache, even where the service allows a response to be reused. @default false */
  isFresh?: boolean | undefined;
  /**
   * Called before a response is read, with its time of production; called again if the response is retried.
   */
  onProduced?: ((production: Production) => void) | undefined;
}

export interface ListInput extends ReadInput {
  /**
   * Called for each record that differs from the service's documentation. The record is omitted, unless the
   * callback returns an object to use instead. Without a callback, the first such record fails the listing.
   */
  onInvalidRecord?: OnInvalidRecord | undefined;
}

/** The parameters of all endpoints, under the names that the client uses. */
export interface ParameterValues {
  groupId: number;
  zoneId: number;
  /** The service uses text in responses and a number in requests. */
  campaignId: number;
  assetId: number;
  playlistId: number;
  overrideId: number;
  jobId: string;
  kind: Kind;
  /** A whole number from 0 to 100. */
  volume: number;
  durationMinutes: number;
  name: string;
  /** Path of an audio file (messaging), or of an image or video (signage). It is streamed from disk. */
  file: string;
  /** First day of play, as `YYYY-MM-DD`; the service documents no time zone. */
  startDate: string;
  /** Last day of play, as `YYYY-MM-DD`; the service documents no time zone. */
  endDate: string;
  /** Schedule: iCal RRULE, e.g. `FREQ=DAILY;BYHOUR=9,12`. */
  rrule: string;
  /** Records per page; the service documents neither a default nor a maximum. */
  limit: number;
  /** Records to skip. @default 0 */
  offset: number;
  /** Page number, starting with 1. @default 1 */
  page: number;
  /** Limits the list to components without a parent. */
  isTopLevel: boolean;
  /** Limits the list to children of this component. */
  parentId: number;
  type: "general" | "planned" | "unplanned";
  timelineState: "future" | "present" | "past_recent" | "past_distant";
  id: number;
}

type Name = keyof ParameterValues;
type Words<Text extends string> = Text extends `${infer Word} ${infer Rest}` ? Word | Words<Rest> : Text;
type OptionalName<Word extends string> = Word extends `${infer Key}?` ? Key & Name : never;

/** The values of parameters that are listed as in `Endpoint.parameters`, e.g. `zoneId limit? offset?`. */
export type Input<Spec extends string> = Pick<ParameterValues, Words<Spec> & Name> & {
  [Key in keyof Pick<ParameterValues, OptionalName<Words<Spec>>>]?: ParameterValues[Key] | undefined;
};

export type GroupInput = Cancellable & Input<"groupId">;
export type ZoneInput = Cancellable & Input<"zoneId">;
export type CampaignInput = Cancellable & Input<"campaignId">;
export type AssetInput = Cancellable & Input<"assetId">;
export type PageInput = ReadInput & Input<"limit? offset?">;
export type PeriodInput = Input<"startDate? endDate?">;
export type NewCampaign = Cancellable & Input<"name startDate? endDate? rrule?">;
export type NewAsset = Cancellable & Input<"name file startDate? endDate?">;
export type StatusListInput = ListInput & Input<"page?">;
export type ComponentsInput = StatusListInput & Input<"isTopLevel? parentId?">;
export type NoticesInput = StatusListInput & Input<"type? timelineState?">;
