import type { Sqlite } from "../sqlite.ts";

export interface WaitingMessage {
  /** Unique; also the Message-ID of mail and the idempotency key of webhooks. */
  id: string;
  /** `mailto:ADDRESS` or `webhook:NAME`. */
  recipient: string;
  /** JSON. */
  content: string;
  createdAt: Date;
  /** Time at which the content was last written, which may be after the creation. ISO 8601 in UTC. */
  writtenAt: string;
  /** True if an attempt may have been successful. */
  mayHaveArrived: boolean;
}

export interface UndeliveredMessage {
  id: string;
  recipient: string;
  createdAt: Date;
  endedAt: Date;
  problem: string;
}

/** Messages in `state.db`, whose content is kept until they are sent or abandoned. */
export class Outbox {
  readonly #database: Sqlite;

  constructor(database: Sqlite) {
    this.#database = database;
  }

  /**
   * Adds a message, or replaces the content of a waiting one. Call it in the transaction that records its incidents.
   */
  put({
    id,
    recipient,
    content,
    writtenAt,
  }: Pick<WaitingMessage, "id" | "recipient" | "content"> & { writtenAt: Date }): void {
    this.#database.run(
      `insert into message (message_id, recipient, content, created_at, written_at)
       values (?, ?, ?, ?, ?)
       on conflict (message_id) do update set content = excluded.content, written_at = excluded.written_at`,
      [id, recipient, content, writtenAt, writtenAt],
    );
  }

  remove(id: string): void {
    this.#database.run("delete from message where message_id = ?", [id]);
  }

  /** Lists the messages that are not sent yet, oldest first. */
  listWaiting(): WaitingMessage[] {
    return this.#database
      .all<{
        id: string;
        recipient: string;
        content: string;
        created_at: string;
        written_at: string;
        may_have_arrived: number;
      }>(
        `select message_id as id, recipient, content, created_at, written_at, may_have_arrived from message
         where status = 'waiting' order by created_at, message_id`,
      )
      .map(({ created_at, written_at, may_have_arrived, ...message }) => ({
        ...message,
        createdAt: new Date(created_at),
        writtenAt: written_at,
        mayHaveArrived: may_have_arrived === 1,
      }));
  }

  /** Records that an attempt begins: until its outcome is recorded, the message may have arrived. */
  recordStart(id: string): void {
    this.#database.run("update message set may_have_arrived = 1 where message_id = ?", [id]);
  }

  /** Records that a message was sent: its incidents are announced, and those that are over are deleted. */
  recordSent(id: string, now: Date): void {
    this.#database.immediate(() => {
      this.#database.run("delete from incident where message_id = ? and change = 'over'", [id]);
      this.#database.run(
        `update incident
         set
           announced_at = (select written_at from message where message_id = incident.message_id),
           message_id = null,
           change = null
         where message_id = ?`,
        [id],
      );
      this.#end(id, "sent", null, now);
    });
  }

  recordFailure(id: string, problem: string, mayHaveArrived: boolean): void {
    this.#database.run("update message set problem = ?, may_have_arrived = ? where message_id = ?", [
      problem,
      mayHaveArrived,
      id,
    ]);
  }

  /** Abandons a message. The changes that it reported will be reported again. */
  giveUp(id: string, problem: string, now: Date): void {
    this.#database.immediate(() => {
      this.#database.run(
        `update incident
         set
           announced_at = case when change = 'new' then null else announced_at end,
           message_id = null,
           change = null
         where message_id = ?`,
        [id],
      );
      this.#end(id, "undelivered", problem, now);
    });
  }

  #end(id: string, status: "sent" | "undelivered", problem: string | null, now: Date): void {
    this.#database.run(
      "update message set status = ?, problem = ?, ended_at = ?, content = null where message_id = ?",
      [status, problem, now, id],
    );
  }

  /** Lists the messages abandoned since an instant, newest first. */
  listUndelivered(since: Date): UndeliveredMessage[] {
    return this.#database
      .all<{ id: string; recipient: string; created_at: string; ended_at: string; problem: string }>(
        `select message_id as id, recipient, created_at, ended_at, problem from message
         where status = 'undelivered' and ended_at >= ? order by ended_at desc, message_id`,
        [since],
      )
      .map(({ created_at, ended_at, ...message }) => ({
        ...message,
        createdAt: new Date(created_at),
        endedAt: new Date(ended_at),
      }));
  }

  countWaiting(): number {
    return this.#database.get<{ count: number }>(
      "select count(*) as count from message where status = 'waiting'",
    ).count;
  }

  /** Removes the messages that ended before an instant. */
  removeEnded(before: Date): void {
    this.#database.run("delete from message where ended_at < ?", [before]);
  }
}
