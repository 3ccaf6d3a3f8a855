// What other programs import as `venue-analytics`: the two clients, what they answer, and what they throw.

export { SqliteDamagedError, SqliteInUseError, SqliteUnusableError } from "../state/sqlite-errors.ts";
export type { Kind } from "../util/kind.ts";
export type { RetryOptions } from "../util/retry-delays.ts";
export { createVenueClient, type VenueClient, type VenueClientOptions } from "./client.ts";
export type { Download, DownloadInput, Downloads } from "./download.ts";
export { eachRecord, eachStatusRecord } from "./each-record.ts";
export type { ApiClients, TokenAnswer } from "./endpoints/api-clients.ts";
export type {
  AssetInput,
  CampaignInput,
  CampaignsAndAssets,
  NewAsset,
  NewCampaign,
} from "./endpoints/campaigns-and-assets.ts";
export type { Devices } from "./endpoints/devices.ts";
export type { Exports } from "./endpoints/exports.ts";
export type { History } from "./endpoints/history.ts";
export type {
  Cancellable,
  GroupInput,
  ListInput,
  PageInput,
  PeriodInput,
  ReadInput,
  ZoneInput,
} from "./endpoints/inputs.ts";
export type { Music } from "./endpoints/music.ts";
export type { Playlists } from "./endpoints/playlists.ts";
export type { ComponentsInput, NoticesInput, StatusListInput } from "./endpoints/status-api.ts";
export { AnswerCutError } from "./errors/answer-cut-error.ts";
export { ApiError, type RequestTarget } from "./errors/api-error.ts";
export { ClientOptionError } from "./errors/client-option-error.ts";
export { ConnectionFailedError } from "./errors/connection-failed-error.ts";
export { CredentialsRefusedError } from "./errors/credentials-refused-error.ts";
export { LinkRefusedError } from "./errors/link-refused-error.ts";
export { MaybeCarriedOutError } from "./errors/maybe-carried-out-error.ts";
export { RateLimitedError } from "./errors/rate-limited-error.ts";
export { SecretNotFoundError } from "./errors/secret-not-found-error.ts";
export { ServiceFailedError } from "./errors/service-failed-error.ts";
export { NotFoundError, ServiceRefusedError } from "./errors/service-refused-error.ts";
export { TokenNotGivenError } from "./errors/token-not-given-error.ts";
export { UnexpectedResponseError, WrongPartError } from "./errors/unexpected-response-error.ts";
export { UploadFileError } from "./errors/upload-file-error.ts";
export type { Asset } from "./records/asset.ts";
export type { Campaign } from "./records/campaign.ts";
export type { DeviceStatus } from "./records/device-status.ts";
export type { CreatedExportJob, ExportJob } from "./records/export-job.ts";
export type { HistoryRecord } from "./records/history-record.ts";
export type { NowPlaying, Track } from "./records/now-playing.ts";
export type { Page } from "./records/page.ts";
export type { Playlist, PlaylistOverride } from "./records/playlist.ts";
export type { Screenshot } from "./records/screenshot.ts";
export type { Component } from "./records/status/component.ts";
export type { Notice, NoticeDetail } from "./records/status/notice.ts";
export type { StatusList } from "./records/status/status-list.ts";
export type { StatusPage } from "./records/status/status-page.ts";
export { createStatusClient, type StatusClient, type StatusClientOptions } from "./status-client.ts";
export type { Production } from "./transport/steps/date-step.ts";
export type { Timeouts } from "./transport/timeouts.ts";
