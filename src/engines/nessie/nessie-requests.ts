import { z } from "zod";
import { NessieError, nessieUnreachableError } from "../errors.ts";
import {
  parseWholeJson,
  type RemoteOptions,
  type RemoteRequest,
  RemoteService,
} from "../remote/remote-service.ts";

/** One request; its path is relative to the API root. */
export interface NessieRequest extends Pick<RemoteRequest, "method" | "path" | "repeat"> {
  /** Sent as JSON. */
  body?: object;
}

const root = "/api/v2";

/** Sends requests to version 2 of Nessie's REST API. */
export class NessieRequests {
  readonly #service: RemoteService;

  constructor(options: RemoteOptions) {
    this.#service = new RemoteService(options, nessieUnreachableError);
  }

  close(): void {
    this.#service.close();
  }

  async *pages<Page extends { token?: string | null | undefined }>(
    what: string,
    path: string,
    shape: z.ZodType<Page>,
  ): AsyncGenerator<Page> {
    let token: string | null | undefined;
    do {
      const query = token ? `${path.includes("?") ? "&" : "?"}page-token=${encodeURIComponent(token)}` : "";
      const page = await this.get(what, { method: "GET", path: `${path}${query}`, repeat: "always" }, shape);
      yield page;
      token = page.token;
    } while (token);
  }

  /** @param what completes “Nessie refused to …” */
  async get<Answer>(
    what: string,
    { path, body, ...rest }: NessieRequest,
    shape: z.ZodType<Answer>,
  ): Promise<Answer> {
    const { status, text } = await this.#service.send({
      ...rest,
      path: `${root}${path}`,
      headers: { accept: "application/json", "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const json = tryParseJson(text);
    const response = status === 200 ? shape.safeParse(json).data : undefined;
    if (response !== undefined) return response;
    const refusal = errorResponse.safeParse(json).data;
    if (refusal) throw new NessieError(what, refusal.errorCode, refusal.message);
    if (status === 401 || status === 403) {
      throw new NessieError(what, "UNAUTHORIZED", `it responded with status ${status}`);
    }
    throw nessieUnreachableError(this.#service.origin, {
      problem: `does not respond like Nessie (status ${status}: ${JSON.stringify(text.trim().slice(0, 100))})`,
      nextStep: "Check the address.",
    });
  }
}

function tryParseJson(text: string): unknown {
  try {
    return parseWholeJson(text);
  } catch {
    return undefined;
  }
}

const reference = z.object({ type: z.string(), name: z.string(), hash: z.string() });

export const referenceResponse = z.object({ reference });
export const referencesResponse = z.object({ references: z.array(reference) });

export const commitResponse = z.object({ targetBranch: reference });
export const mergeResponse = z.object({ resultantTargetHash: z.string(), wasApplied: z.boolean() });

export const historyResponse = z.object({
  token: z.string().nullish(),
  logEntries: z.array(
    z.object({
      commitMeta: z.object({
        hash: z.string(),
        message: z.string(),
        commitTime: z.string(),
        allProperties: z.record(z.string(), z.array(z.string())).default({}),
      }),
    }),
  ),
});

const name = z.object({ elements: z.array(z.string()) });

export const entriesResponse = z.object({
  token: z.string().nullish(),
  entries: z.array(z.object({ type: z.string(), name })),
});

/** Snapshot ids exceed 2^53, so they are read as text. */
const table = z.object({
  type: z.literal("ICEBERG_TABLE"),
  metadataLocation: z.string(),
  snapshotId: z.coerce.string(),
});

export const tableResponse = z.object({ content: table });

/** A page of entries that are all tables. */
export const tablesResponse = z.object({
  token: z.string().nullish(),
  entries: z.array(z.object({ name, content: table })),
});

const errorResponse = z.object({ message: z.string(), errorCode: z.string().default("UNKNOWN") });
