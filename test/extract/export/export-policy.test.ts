import { expect, it } from "vitest";
import {
  type ExportFacts,
  findRule,
  initialExportFacts,
  type NextAction,
  type Situation,
} from "../../../src/extract/export/export-policy.ts";

it.each<[string, Situation, Partial<ExportFacts>, NextAction, string?]>([
  ["the run was killed during the request", ["start", "requestCutOff"], {}, "request", "ambiguous"],
  ["a job that is too old", ["start", "jobTooOld"], {}, "request", "abandoned"],
  ["an old job that also failed", ["start", "jobTooOld"], { jobFailedBefore: true }, "request", "failed"],
  ["a first lost response", ["request", "responseLost"], {}, "nextRun", "ambiguous"],
  ["a second lost response", ["request", "responseLost"], { lostRequests: 1 }, "walk", "ambiguous"],
  ["a refusal of the first export", ["request", "refused"], {}, "walk", "failed"],
  ["a refusal after a file", ["request", "refused"], { hasLanded: true }, "deferred", "failed"],
  [
    "a second refusal after a file",
    ["request", "refused"],
    { hasLanded: true, failures: 1 },
    "walk",
    "failed",
  ],
  ["no connection", ["request", "unavailable"], {}, "nextRun", "abandoned"],
  ["a job under way", ["poll", "processing"], { waitedMs: 60, patienceMs: 60 }, "poll"],
  [
    "a job that takes too long",
    ["poll", "processing"],
    { waitedMs: 61, patienceMs: 60 },
    "walk",
    "abandoned",
  ],
  ["a second failed job", ["poll", "failed"], { failedJobs: 1 }, "request", "failed"],
  ["a third failed job", ["poll", "failed"], { failedJobs: 2 }, "walk", "failed"],
  ["a new job that is not yet known", ["poll", "unknown"], { unknownPolls: 4 }, "poll"],
  ["a job that stays unknown", ["poll", "unknown"], { unknownPolls: 5 }, "request", "failed"],
  ["a job that is no longer known", ["poll", "unknown"], { isKnown: true }, "request", "failed"],
  ["a third unknown job", ["poll", "unknown"], { isKnown: true, failedJobs: 2 }, "walk", "failed"],
  ["refused polls after a file", ["poll", "refused"], { hasLanded: true }, "request", "failed"],
  ["refused polls without a file", ["poll", "refused"], {}, "walk", "failed"],
  ["failing polls", ["poll", "broken"], {}, "nextRun", "open"],
  ["failing polls again", ["poll", "broken"], { jobFailedBefore: true }, "walk", "failed"],
  ["too many requests", ["poll", "unavailable"], {}, "nextRun"],
  ["an expired link", ["download", "linkExpired"], { fruitlessAttempts: 1 }, "poll"],
  ["a broken download", ["download", "incomplete"], { fruitlessAttempts: 2 }, "download"],
  ["three attempts with one link", ["download", "incomplete"], { fruitlessAttempts: 3 }, "poll"],
  ["eight attempts in a row", ["download", "incomplete"], { fruitlessAttempts: 8 }, "nextRun", "open"],
  ["eight expired links", ["download", "linkExpired"], { fruitlessAttempts: 8 }, "nextRun", "open"],
  ["too many restarts", ["download", "incomplete"], { beginnings: 9 }, "nextRun", "open"],
  [
    "a failing download again",
    ["download", "incomplete"],
    { fruitlessAttempts: 8, jobFailedBefore: true },
    "walk",
    "failed",
  ],
  [
    "a failing download with progress",
    ["download", "incomplete"],
    { fruitlessAttempts: 8, jobFailedBefore: true, madeProgress: true },
    "nextRun",
    "open",
  ],
])("%s", (_label, situation, facts, next, job) => {
  const rule = findRule(situation, { ...initialExportFacts, ...facts });
  expect([rule.next, rule.job]).toEqual([next, job]);
});
