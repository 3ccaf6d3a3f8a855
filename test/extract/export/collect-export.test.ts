import { expect, it } from "vitest";
import { collectExport } from "../../../src/extract/export/collect-export.ts";
import { serveAnswers } from "../answering-service.ts";

it.each([404, 410])("asks for another export where the service no longer has one (%i)", async (status) => {
  let jobs = 0;
  const service = await serveAnswers(({ name }) =>
    name.startsWith("POST") ? { json: { job_id: `j${++jobs}`, status: "processing" } } : { status },
  );
  await expect(collectExport({ kind: "music", groupId: 1 }, service.begin())).rejects.toThrow(
    "The service failed 3 exports of music of group 1: the service does not know this job.",
  );
  expect(jobs).toBe(3);
});
