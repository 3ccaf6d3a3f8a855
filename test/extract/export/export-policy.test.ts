import { expect, it } from "vitest";
import {
  type ExportFacts,
  findRule,
  initialExportFacts,
  type Next,
  type Situation,
} from "../../../src/extract/export/export-policy.ts";

it.each<[string, Situation, Partial<ExportFacts>, Next, string?]>([
  ["the run was killed during the request", ["start", "requestCutOff"], {}, "request", "ambiguous"],
  ["a job that is too old", ["start", "jobTooOld"], {}, "request", "abandoned"],
  ["one that also failed", ["start", "jobTooOld"], { jobFailedBefore: true }, "request", "failed"],
  ["a first lost response", ["request", "responseLost"], {}, "nextRun", "ambiguous"],
  ["a second one", ["request", "responseLost"], { lostRequests: 1 }, "walk", "ambiguous"],
  ["a refusal of the first export", ["request", "refused"], {}, "walk", "failed"],
  ["a refusal after a file", ["request", "refused"], { hasLanded: true }, "deferred", "failed"],
  ["a second one", ["request", "refused"], { hasLanded: true, failures: 1 }, "walk", "failed"],
  ["no connection", ["request", "unavailable"], {}, "nextRun", "abandoned"],
  ["a job under way", ["poll", "processing"], { waitedMs: 60, patienceMs: 60 }, "poll"],
  ["one that takes too long", ["poll", "processing"], { waitedMs: 61, patienceMs: 60 }, "walk", "abandoned"],
  ["a second failed job", ["poll", "failed"], { failedJobs: 1 }, "request", "failed"],
  ["a third one", ["poll", "failed"], { failedJobs: 2 }, "walk", "failed"],
  ["a new job that is not known yet", ["poll", "unknown"], { unknownPolls: 4 }, "poll"],
  ["one that stays unknown", ["poll", "unknown"], { unknownPolls: 5 }, "request", "failed"],
  ["one that is not known any more", ["poll", "unknown"], { isKnown: true }, "request", "failed"],
  ["a third unknown job", ["poll", "unknown"], { isKnown: true, failedJobs: 2 }, "walk", "failed"],
  ["refused polls after a file", ["poll", "refused"], { hasLanded: true }, "request", "failed"],
  ["refused polls without one", ["poll", "refused"], {}, "walk", "failed"],
  ["polls that fail", ["poll", "broken"], {}, "nextRun", "open"],
  ["polls that fail again", ["poll", "broken"], { jobFailedBefore: true }, "walk", "failed"],
  ["too many requests", ["poll", "unavailable"], {}, "nextRun"],
  ["an expired link", ["download", "linkExpired"], { fruitlessAttempts: 1 }, "poll"],
  ["a broken download", ["download", "incomplete"], { fruitlessAttempts: 2 }, "download"],
  ["three attempts with one link", ["download", "incomplete"], { fruitlessAttempts: 3 }, "poll"],
  ["eight attempts in a row", ["download", "incomplete"], { fruitlessAttempts: 8 }, "nextRun", "open"],
  ["eight expired links", ["download", "linkExpired"], { fruitlessAttempts: 8 }, "nextRun", "open"],
  ["too many beginnings", ["download", "incomplete"], { beginnings: 9 }, "nextRun", "open"],
  [
    "a download that fails again",
    ["download", "incomplete"],
    { fruitlessAttempts: 8, jobFailedBefore: true },
    "walk",
    "failed",
  ],
  [
    "one that fails again, with more than before",
    ["download", "incomplete"],
    { fruitlessAttempts: 8, jobFailedBefore: true, madeProgress: true },
    "nextRun",
    "open",
  ],
])("%s", (_label, situation, facts, next, job) => {
  const rule = findRule(situation, { ...initialExportFacts, ...facts });
  expect([rule.next, rule.job]).toEqual([next, job]);
});
