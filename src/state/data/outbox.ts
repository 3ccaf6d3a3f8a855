import type { Sqlite } from "../sqlite.ts";

interface NewMessage {
  /** Unique; also the Message-ID of mail and the idempotency key of webhooks. */
  id: string;
  /** `mailto:ADDRESS` or `webhook:NAME`. */
  recipient: string;
  /** JSON. */
  content: string;
  createdAt: Date;
}

export interface DueMessage extends NewMessage {
  /** Number of failed attempts. */
  attempts: number;
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

  /** Adds a message that is due immediately. Call it in the transaction that records its incidents. */
  add({ id, recipient, content, createdAt }: NewMessage): void {
    const at = createdAt.toISOString();
    this.#database.run(
      "insert into message (message_id, recipient, content, created_at, next_attempt_at) values (?, ?, ?, ?, ?)",
      [id, recipient, content, at, at],
    );
  }

  /** Lists the messages that are due. Those that failed before come last. */
  listDue(now: Date): DueMessage[] {
    return this.#database
      .all<{ id: string; recipient: string; content: string; created_at: string; attempts: number }>(
        `select message_id as id, recipient, content, created_at, attempts from message
         where status = 'waiting' and next_attempt_at <= ? order by next_attempt_at, message_id`,
        [now.toISOString()],
      )
      .map(({ created_at, ...message }) => ({ ...message, createdAt: new Date(created_at) }));
  }

  recordSent(id: string, now: Date): void {
    this.#end(id, "sent", null, now);
  }

  recordFailure(id: string, { problem, nextAttemptAt }: { problem: string; nextAttemptAt: Date }): void {
    this.#database.run(
      "update message set attempts = attempts + 1, problem = ?, next_attempt_at = ? where message_id = ?",
      [problem, nextAttemptAt.toISOString(), id],
    );
  }

  giveUp(id: string, problem: string, now: Date): void {
    this.#end(id, "undelivered", problem, now);
  }

  #end(id: string, status: "sent" | "undelivered", problem: string | null, now: Date): void {
    this.#database.run(
      "update message set status = ?, problem = ?, ended_at = ?, content = null where message_id = ?",
      [status, problem, now.toISOString(), id],
    );
  }

  /** Lists the messages abandoned since an instant, newest first. */
  listUndelivered(since: Date): UndeliveredMessage[] {
    return this.#database
      .all<{ id: string; recipient: string; created_at: string; ended_at: string; problem: string }>(
        `select message_id as id, recipient, created_at, ended_at, problem from message
         where status = 'undelivered' and ended_at >= ? order by ended_at desc, message_id`,
        [since.toISOString()],
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
    this.#database.run("delete from message where ended_at < ?", [before.toISOString()]);
  }
}
