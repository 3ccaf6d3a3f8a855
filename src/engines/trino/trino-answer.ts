import { z } from "zod";
import { parseWholeJson } from "../remote/whole-json.ts";

/** How far a statement is, by Trino's own statistics. */
export interface TrinoProgress {
  queryId: string;
  /** `QUEUED`, `PLANNING`, `RUNNING`, `FINISHING`, `FINISHED`, `FAILED`. */
  state: string;
  /** 0 to 100; unknown until all of its work is planned. */
  percent: number | undefined;
  /** Read so far, over all stages. */
  rows: number;
  bytes: number;
}

const count = z.coerce.number();

const answer = z.object({
  id: z.string(),
  nextUri: z.string().optional(),
  columns: z.array(z.object({ name: z.string(), type: z.string() })).optional(),
  /** Integers of 16 digits and more are texts. */
  data: z.array(z.array(z.unknown())).optional(),
  updateCount: count.optional(),
  stats: z.object({
    state: z.string(),
    progressPercentage: z.number().optional(),
    processedRows: count.default(0),
    processedBytes: count.default(0),
  }),
  error: z
    .object({
      message: z.string().default("it gives no message"),
      errorName: z.string().default("UNKNOWN"),
      errorType: z.string().default("UNKNOWN"),
    })
    .optional(),
});

/** One answer of the statement protocol: a page of a statement's result, or how far it is. */
export type TrinoAnswer = z.infer<typeof answer>;

/** `undefined` where the text is no answer of Trino's. */
export function parseTrinoAnswer(text: string): TrinoAnswer | undefined {
  try {
    return answer.safeParse(parseWholeJson(text)).data;
  } catch {
    return undefined;
  }
}

export function progressOf({ id, stats }: TrinoAnswer): TrinoProgress {
  return {
    queryId: id,
    state: stats.state,
    percent: stats.progressPercentage,
    rows: stats.processedRows,
    bytes: stats.processedBytes,
  };
}
