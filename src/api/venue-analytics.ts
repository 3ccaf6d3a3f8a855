// Exports of the package `venue-analytics`: the two clients, their results and their errors.

export { SqliteInUseError } from "../state/errors.ts";
export type { Kind } from "../util/kind.ts";
export type { RetryOptions } from "../util/retry-delays.ts";
export type { TokenResponse } from "./access-tokens.ts";
export { createVenueClient, type VenueClient, type VenueClientOptions } from "./client.ts";
export type { Download, DownloadInput, Downloads } from "./download.ts";
export { eachRecord, eachStatusRecord } from "./each-record.ts";
export type { ApiClients } from "./endpoints/api-clients.ts";
export type { CampaignsAndAssets, Devices, Exports, Music, Playlists } from "./endpoints/endpoints.ts";
export type { History } from "./endpoints/history.ts";
export type {
  AssetInput,
  CampaignInput,
  Cancellable,
  ComponentsInput,
  GroupInput,
  ListInput,
  NewAsset,
  NewCampaign,
  NoticesInput,
  PageInput,
  PeriodInput,
  ReadInput,
  StatusListInput,
  ZoneInput,
} from "./endpoints/inputs.ts";
export {
  ApiError,
  ConnectionFailedError,
  CredentialsRefusedError,
  LinkRefusedError,
  NotFoundError,
  OutcomeUnknownError,
  RangeMismatchError,
  RateLimitedError,
  type RequestTarget,
  SecretNotFoundError,
  ServiceFailedError,
  ServiceRefusedError,
  TokenRequestRefusedError,
  TruncatedListError,
  UnexpectedResponseError,
} from "./errors.ts";
export type { Asset, Campaign } from "./records/content.ts";
export type { DeviceStatus, Screenshot } from "./records/device-status.ts";
export type { CreatedExportJob, ExportJob, HistoryRecord } from "./records/history.ts";
export type { NowPlaying, Playlist, PlaylistOverride, Track } from "./records/music.ts";
export type { Page } from "./records/page.ts";
export type { Component, Notice, NoticeDetail, StatusList, StatusPage } from "./records/status.ts";
export { createStatusClient, type StatusClient, type StatusClientOptions } from "./status-client.ts";
export type { Production } from "./transport/request.ts";
export type { Timeouts } from "./transport/timeouts.ts";
