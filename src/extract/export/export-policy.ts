/** Steps that may follow within the run. */
export type Step = "request" | "poll" | "download";

/**
 * - `land`: the file is whole
 * - `walk`: give up the export and read the zones instead
 * - `afterOthers`: request it once more when all other sources are done
 * - `nextRun`: report the error (exit code 3); the next run continues
 */
export type Next = Step | "land" | "walk" | "afterOthers" | "nextRun";

/** One line of the policy. It applies if the lines above it did not. */
interface Rule {
  when?: (facts: ExportFacts) => boolean;
  next: Next;
  /** State that the job gets in `state.db`; `open`: it stays open, with a note of its failure. */
  job?: "failed" | "ambiguous" | "abandoned" | "open";
}

/**
 * Step → response → next step: the only place that decides on retries of an export. Of the two other layers, `src/api` repeats
 * a request that failed, and the next run starts from what this one recorded.
 */
const exportPolicy = {
  /** Looks in `state.db` for a job that an earlier run requested: the service cannot list its jobs. */
  start: {
    noJob: [{ next: "request" }],
    /** The run was killed during the request. The service may have made a job whose id nobody knows; it does no harm. */
    requestCutOff: [{ next: "request", job: "ambiguous" }],
    jobOpen: [{ next: "poll" }],
    jobTooOld: [
      { when: ({ jobFailedBefore }) => jobFailedBefore, next: "request", job: "failed" },
      { next: "request", job: "abandoned" },
    ],
    /** The run was killed after the download, before its record. */
    fileWhole: [{ next: "land" }],
    outOfJobs: [{ next: "walk" }],
  },
  /** `POST data/<kind>/history/export`, which `src/api` repeats up to five times. */
  request: {
    accepted: [{ next: "poll" }],
    /** Every response was lost, failed or unreadable. There may be a job whose id nobody knows; it does no harm. */
    responseLost: [
      { when: ({ lostRequests }) => lostRequests === 0, next: "nextRun", job: "ambiguous" },
      { next: "walk", job: "ambiguous" },
    ],
    refused: [
      { when: refusalMayPass, next: "afterOthers", job: "failed" },
      { next: "walk", job: "failed" },
    ],
    stopped: [{ next: "nextRun", job: "ambiguous" }],
    /** No connection, no token, too many requests: this concerns all requests. */
    unavailable: [{ next: "nextRun", job: "abandoned" }],
  },
  /** `GET data/history/exports/{job_id}`, when `poll-export.ts` finds it worth a request. */
  poll: {
    processing: [
      { when: ({ waitedMs, patienceMs }) => waitedMs <= patienceMs, next: "poll" },
      { next: "walk", job: "abandoned" },
    ],
    completed: [{ next: "download" }],
    failed: [
      { when: hasJobsLeft, next: "request", job: "failed" },
      { next: "walk", job: "failed" },
    ],
    /** Status 404 or 410. */
    unknown: [
      { when: mayBecomeKnown, next: "poll" },
      { when: hasJobsLeft, next: "request", job: "failed" },
      { next: "walk", job: "failed" },
    ],
    refused: [
      { when: refusalMayPass, next: "request", job: "failed" },
      { next: "walk", job: "failed" },
    ],
    /** Status 5xx, or unreadable. */
    broken: [
      { when: isFirstFailure, next: "nextRun", job: "open" },
      { next: "walk", job: "failed" },
    ],
    unavailable: [{ next: "nextRun" }],
  },
  /** One request to the download link, for what is missing (Range) or for proof that nothing is (`PartialDownload`). */
  download: {
    whole: [{ next: "land" }],
    /** Cut off, damaged, no history, or not proven whole yet. */
    incomplete: [
      { when: hasAttemptsOnLink, next: "download" },
      { when: hasAttempts, next: "poll" },
      { when: isFirstFailureOrBroughtMore, next: "nextRun", job: "open" },
      { next: "walk", job: "failed" },
    ],
    linkExpired: [
      { when: hasAttempts, next: "poll" },
      { when: isFirstFailureOrBroughtMore, next: "nextRun", job: "open" },
      { next: "walk", job: "failed" },
    ],
  },
} as const satisfies Record<string, Record<string, readonly Rule[]>>;

type Policy = typeof exportPolicy;

/** A step with the response to it, such as `["poll", "failed"]`. */
export type Situation = {
  [Step in keyof Policy]: readonly [step: Step, response: keyof Policy[Step]];
}[keyof Policy];

/** Returns the line of the policy that applies. */
export function findRule([step, response]: Situation, facts: ExportFacts): Rule {
  const rules = (exportPolicy[step] as Record<string, readonly Rule[]>)[response] ?? [];
  const rule = rules.find(({ when }) => when === undefined || when(facts));
  if (!rule) throw new Error(`No rule for ${step}, ${response}`);
  return rule;
}

/** How often, and how long. `patienceMs` is a setting of the sync. */
export const limits = {
  /** Jobs of one group and kind that may fail in a run. */
  jobs: 3,
  /** Waits between polls of a new job that the service does not know yet, in milliseconds. */
  unknownWaitsMs: [1_000, 2_000, 4_000, 8_000],
  /** A job that an earlier run left open is used unless its history would be older than this. */
  staleMs: 12 * 3_600_000,
  /** Download attempts in a row that bring nothing new. */
  fruitlessAttempts: 8,
  /** Such attempts per link: a server may respond to an expired link with anything. */
  fruitlessAttemptsPerLink: 3,
  /** Downloads that begin at the first byte again: throwing away what came is not progress. */
  beginnings: 8,
  /** Failed exports in a row after which plans prefer walks for a while. */
  failuresBeforeRest: 3,
  /** Length of that while: the next day's run requests an export again. It doubles after as many more failures. */
  restMs: 20 * 3_600_000,
} as const;

/** Facts about one export that the policy compares with the limits. */
export interface ExportFacts {
  /** Earlier jobs of this run that gave no file. */
  failedJobs: number;
  /** The last of them was not ready in time. */
  wasLate: boolean;
  /** A recent export gave a file. */
  hasLanded: boolean;
  /** Earlier exports, over all runs since the last one that gave a file. */
  failures: number;
  /** Those of them whose request got no response. */
  lostRequests: number;
  /** An earlier run could not poll or download this job. */
  jobFailedBefore: boolean;
  /** The service has shown that it knows this job. */
  isKnown: boolean;
  /** Polls in a row to which the service responded that it does not know this job. */
  unknownPolls: number;
  /** Time since this run began to poll, in milliseconds. */
  waitedMs: number;
  patienceMs: number;
  /** Download attempts in a row that brought nothing new. */
  fruitlessAttempts: number;
  /** Times that the download began at the first byte. */
  beginnings: number;
  /** The download brought more than earlier runs had. */
  broughtMore: boolean;
}

/** An export of which nothing is known yet. */
export const noFacts: ExportFacts = {
  failedJobs: 0,
  wasLate: false,
  hasLanded: false,
  failures: 0,
  lostRequests: 0,
  jobFailedBefore: false,
  isKnown: false,
  unknownPolls: 0,
  waitedMs: 0,
  patienceMs: Number.POSITIVE_INFINITY,
  fruitlessAttempts: 0,
  beginnings: 0,
  broughtMore: false,
};

export function isOutOfJobs({ failedJobs, wasLate }: ExportFacts): boolean {
  return failedJobs >= limits.jobs || wasLate;
}

function hasJobsLeft({ failedJobs }: ExportFacts): boolean {
  return failedJobs + 1 < limits.jobs;
}

/** The export before gave its file. Giving up at once would be costly: walks of zones that were never read take hours. */
function refusalMayPass({ hasLanded, failures }: ExportFacts): boolean {
  return hasLanded && failures === 0;
}

function mayBecomeKnown({ isKnown, unknownPolls }: ExportFacts): boolean {
  return !isKnown && unknownPolls <= limits.unknownWaitsMs.length;
}

function isFirstFailure({ failures, jobFailedBefore }: ExportFacts): boolean {
  return failures === 0 && !jobFailedBefore;
}

function isFirstFailureOrBroughtMore(facts: ExportFacts): boolean {
  return isFirstFailure(facts) || (facts.failures === 0 && facts.broughtMore);
}

function hasAttempts({ fruitlessAttempts, beginnings }: ExportFacts): boolean {
  return fruitlessAttempts < limits.fruitlessAttempts && beginnings <= limits.beginnings;
}

function hasAttemptsOnLink(facts: ExportFacts): boolean {
  const { fruitlessAttempts } = facts;
  const isLinkSpent = fruitlessAttempts > 0 && fruitlessAttempts % limits.fruitlessAttemptsPerLink === 0;
  return hasAttempts(facts) && !isLinkSpent;
}

/** Whether plans prefer walks because the last exports failed. @param failedAgoMs since the last of them, in milliseconds */
export function isResting(failures: number, failedAgoMs: number): boolean {
  const sets = Math.floor(failures / limits.failuresBeforeRest);
  return sets > 0 && failedAgoMs < limits.restMs * 2 ** (sets - 1);
}
