import { z } from "zod";

const reference = z.object({ type: z.string(), name: z.string(), hash: z.string() });

export const referenceAnswer = z.object({ reference });
export const referencesAnswer = z.object({ references: z.array(reference) });

export const commitAnswer = z.object({ targetBranch: reference });
export const mergeAnswer = z.object({ resultantTargetHash: z.string(), wasApplied: z.boolean() });

export const historyAnswer = z.object({
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

export const entriesAnswer = z.object({
  token: z.string().nullish(),
  entries: z.array(z.object({ type: z.string(), name })),
});

/** Snapshot ids exceed 2^53: they are read as texts. */
const table = z.object({
  type: z.literal("ICEBERG_TABLE"),
  metadataLocation: z.string(),
  snapshotId: z.coerce.string(),
});

export const tableAnswer = z.object({ content: table });

/** Of tables alone. */
export const tablesAnswer = z.object({
  token: z.string().nullish(),
  entries: z.array(z.object({ name, content: table })),
});

/** What Nessie says where it did not do what was asked. */
export const refusalAnswer = z.object({ message: z.string(), errorCode: z.string().default("UNKNOWN") });
