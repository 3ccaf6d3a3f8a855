/** Every method can be cancelled: an abort ends waits and transfers at once, and its reason is thrown. */
export interface Cancellable {
  signal?: AbortSignal | undefined;
}

export interface GroupInput extends Cancellable {
  groupId: number;
}

export interface PageInput extends Cancellable {
  /** Records per page; the service documents neither a default nor a greatest value. */
  limit?: number | undefined;
  /** Records to skip. @default 0 */
  offset?: number | undefined;
}
