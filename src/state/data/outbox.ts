import { parseStored, type Sqlite } from "../sqlite.ts";

/** An incident that a message announces as new, or reminds of. */
export interface Mention {
  rule: string;
  subject: string;
  change: "new" | "open";
}

export interface MessageBody {
  /** JSON. */
  content: string;
  /** Kept when the content is removed. */
  mentions: readonly Mention[];
}

interface NewMessage extends MessageBody {
  /** Unique; also the Message-ID of mail and the idempotency key of webhooks. */
  id: string;
  /** `mailto:ADDRESS` or `webhook:NAME`. */
  recipient: string;
  createdAt: Date;
}

export type WaitingMessage = Omit<NewMessage, "createdAt">;

export interface DueMessage extends Omit<NewMessage, "mentions"> {
  /** Number of failed attempts. */
  attempts: number;
  /** True if an earlier attempt may have been successful. */
  mayHaveArrived: boolean;
}

export interface UndeliveredMessage {
  id: string;
  recipient: string;
  createdAt: Date;
  endedAt: Date;
  problem: string;
}

/** An incident that a recipient does not know of: all messages about it wait or were abandoned. */
export interface Unheard {
  recipient: string;
  rule: string;
  subject: string;
}

/** Messages in `state.db`, whose content is kept until they are sent or abandoned. */
export class Outbox {
  readonly #database: Sqlite;

  constructor(database: Sqlite) {
    this.#database = database;
  }

  /** Adds a message that is due immediately. Call it in the transaction that records its incidents. */
  add({ id, recipient, content, mentions, createdAt }: NewMessage): void {
    const at = createdAt.toISOString();
    this.#database.run(
      `insert into message (message_id, recipient, content, mentions, created_at, next_attempt_at)
       values (?, ?, ?, ?, ?, ?)`,
      [id, recipient, content, JSON.stringify(mentions), at, at],
    );
  }

  /**
   * Lists the messages that are due. Those to one recipient keep their order: none is due before an earlier one.
   * Recipients whose messages failed before come last.
   */
  listDue(now: Date): DueMessage[] {
    return this.#database
      .all<{
        id: string;
        recipient: string;
        content: string;
        created_at: string;
        attempts: number;
        may_have_arrived: number;
      }>(
        `with waiting as (
           select
             *,
             max(next_attempt_at) over (partition by recipient order by created_at, message_id) as due_at
           from message
           where status = 'waiting'
         )
         select message_id as id, recipient, content, created_at, attempts, may_have_arrived from waiting
         where due_at <= ? order by due_at, created_at, message_id`,
        [now.toISOString()],
      )
      .map(({ created_at, may_have_arrived, ...message }) => ({
        ...message,
        createdAt: new Date(created_at),
        mayHaveArrived: may_have_arrived === 1,
      }));
  }

  listWaiting(): WaitingMessage[] {
    const { path } = this.#database;
    return this.#database
      .all<{ id: string; recipient: string; content: string; mentions: string }>(
        "select message_id as id, recipient, content, mentions from message where status = 'waiting'",
      )
      .map((message) => ({ ...message, mentions: parseStored<Mention[]>(path, message.mentions) }));
  }

  /** Replaces a waiting message, or removes it. */
  replace(id: string, body: MessageBody | undefined): void {
    if (body === undefined) this.#database.run("delete from message where message_id = ?", [id]);
    else
      this.#database.run("update message set content = ?, mentions = ? where message_id = ?", [
        body.content,
        JSON.stringify(body.mentions),
        id,
      ]);
  }

  listUnheard(): Unheard[] {
    return this.#database.all<Unheard & Record<string, string>>(
      `select m.recipient, i.rule, i.subject
       from message as m, json_each(m.mentions) as e
       inner join incident as i on i.rule = e.value ->> 'rule' and i.subject = e.value ->> 'subject'
       where m.created_at >= i.opened_at
       group by m.recipient, i.rule, i.subject
       having max(m.status = 'sent' or m.may_have_arrived) = 0`,
    );
  }

  /** Records that an attempt begins: until its outcome is recorded, the message may have arrived. */
  recordStart(id: string): void {
    this.#database.run("update message set may_have_arrived = 1 where message_id = ?", [id]);
  }

  recordSent(id: string, now: Date): void {
    this.#end(id, "sent", null, now);
  }

  recordFailure(
    id: string,
    {
      problem,
      nextAttemptAt,
      mayHaveArrived,
    }: { problem: string; nextAttemptAt: Date; mayHaveArrived: boolean },
  ): void {
    this.#database.run(
      `update message set attempts = attempts + 1, problem = ?, next_attempt_at = ?, may_have_arrived = ?
       where message_id = ?`,
      [problem, nextAttemptAt.toISOString(), mayHaveArrived ? 1 : 0, id],
    );
  }

  /** Abandons a message. Incidents that it announced as new, and that no other message announces, become unannounced. */
  giveUp(
    id: string,
    { problem, mayHaveArrived }: { problem: string; mayHaveArrived: boolean },
    now: Date,
  ): void {
    this.#database.immediate(() => {
      this.#end(id, "undelivered", problem, now);
      this.#database.run("update message set may_have_arrived = ? where message_id = ?", [
        mayHaveArrived ? 1 : 0,
        id,
      ]);
      this.#database.run(
        `update incident set announced_at = null
         where
           exists (
             select 1 from message as m, json_each(m.mentions) as e
             where m.message_id = ? and e.value ->> 'change' = 'new'
               and e.value ->> 'rule' = incident.rule and e.value ->> 'subject' = incident.subject
           )
           and not exists (
             select 1 from message as m, json_each(m.mentions) as e
             where m.status <> 'undelivered' and m.created_at >= incident.opened_at
               and e.value ->> 'rule' = incident.rule and e.value ->> 'subject' = incident.subject
           )`,
        [id],
      );
    });
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
