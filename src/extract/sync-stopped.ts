/** The time that a sync was given is over: what is not collected yet is left for the next one. */
export class SyncStopped extends Error {
  override readonly name = "SyncStopped";

  constructor(minutes: number) {
    super(`stopped at the --max-minutes limit (${minutes})`);
  }
}
