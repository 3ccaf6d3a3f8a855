import type { Kind } from "../../util/kind.ts";
import type { OnInvalidRecord } from "../records/parse-record.ts";
import type { Production } from "../transport/request.ts";

/** Every method can be cancelled. An abort ends waits and transfers at once; the signal's reason is thrown. */
export interface Cancellable {
  signal?: AbortSignal | undefined;
}

export interface ReadInput extends Cancellable {
  /** True to bypass the cache, even if the service allows a response to be reused. @default false */
  isFresh?: boolean | undefined;
  /** Called with a response's time of production before the response is read, and again after each retry. */
  onProduced?: ((production: Production) => void) | undefined;
}

export interface ListInput extends ReadInput {
  /**
   * Called for each record that differs from the service's documentation. The record is omitted, unless the
   * callback returns an object to use instead. Without a callback, the first such record causes an error.
   */
  onInvalidRecord?: OnInvalidRecord | undefined;
}

/** The parameters of all endpoints, keyed by the client's names. */
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
  /** An integer from 0 to 100. */
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

/** Values for a list of parameters in the format of `Endpoint.parameters`, e.g. `zoneId limit? offset?`. */
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
