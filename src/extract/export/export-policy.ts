/** Steps that may follow within the run. */
export type Step = "request" | "poll" | "download";

/**
 * - `land`: the file is whole
 * - `walk`: give up the export and read the zones instead
 * - `deferred`: request it once more when all other sources are done
 * - `nextRun`: report the error (exit code 3); the next run continues
 */
export type Next = Step | "land" | "walk" | "deferred" | "nextRun";

/** One line of the policy. It applies if no earlier line did. */
interface Rule {
  when?: (facts: ExportFacts) => boolean;
  next: Next;
  /** New state of the job in `state.db`; `open`: it stays open, and its failure is recorded. */
  job?: "failed" | "ambiguous" | "abandoned" | "open";
}

/**
 * Step → response → next step: the only place that decides on retries of an export. Two other layers retry:
 * `src/api` repeats a failed request, and the next run starts from what this one recorded.
 */
const exportPolicy = {
  /** Looks in `state.db` for a job that an earlier run requested: the service cannot list its jobs. */
  start: {
    noJob: [{ next: "request" }],
    /** The run was killed during the request. A job whose id is lost may exist; it does no harm. */
    requestCutOff: [{ next: "request", job: "ambiguous" }],
    jobOpen: [{ next: "poll" }],
    jobTooOld: [
      { when: ({ jobFailedBefore }) => jobFailedBefore, next: "request", job: "failed" },
      { next: "request", job: "abandoned" },
    ],
    /** The run was killed after the download, before it was recorded. */
    fileWhole: [{ next: "land" }],
    outOfJobs: [{ next: "walk" }],
  },
  /** `POST data/<kind>/history/export`, which `src/api` repeats up to five times. */
  request: {
    accepted: [{ next: "poll" }],
    /** Every response was lost, failed or unreadable. A job whose id is lost may exist; it does no harm. */
    responseLost: [
      { when: ({ lostRequests }) => lostRequests === 0, next: "nextRun", job: "ambiguous" },
      { next: "walk", job: "ambiguous" },
    ],
    refused: [
      { when: refusalMayPass, next: "deferred", job: "failed" },
      { next: "walk", job: "failed" },
    ],
    stopped: [{ next: "nextRun", job: "ambiguous" }],
    /** No connection, no token, or too many requests: this affects all requests. */
    unavailable: [{ next: "nextRun", job: "abandoned" }],
  },
  /** `GET data/history/exports/{job_id}`, on the schedule of `poll-export.ts`. */
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
  /** One request to the link, for missing bytes (Range) or for proof that none are (`PartialDownload`). */
  download: {
    whole: [{ next: "land" }],
    /** Cut off, damaged, not history, or not proven whole yet. */
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

export function findRule([step, response]: Situation, facts: ExportFacts): Rule {
  const rules = (exportPolicy[step] as Record<string, readonly Rule[]>)[response] ?? [];
  const rule = rules.find(({ when }) => when === undefined || when(facts));
  if (!rule) throw new Error(`No rule for ${step}, ${response}`);
  return rule;
}

/** Maximum counts and durations. `patienceMs` is a setting of the sync. */
export const limits = {
  /** Jobs of one group and kind that may fail in a run. */
  jobs: 3,
  /** Waits between polls of a new job that the service does not recognise yet, in milliseconds. */
  unknownWaitsMs: [1_000, 2_000, 4_000, 8_000],
  /** A job that an earlier run left open is used unless its history would be older than this. */
  staleMs: 12 * 3_600_000,
  /** Consecutive download attempts without new bytes. */
  fruitlessAttempts: 8,
  /** The same per link: a server may respond to an expired link with anything. */
  fruitlessAttemptsPerLink: 3,
  /** Downloads restarted from the first byte: discarding received bytes is not progress. */
  beginnings: 8,
  /** Consecutive failed exports after which plans prefer walks for a while. */
  failuresBeforeRest: 3,
  /** Length of that while: the next day's run tries again. It doubles after as many more failures. */
  restMs: 20 * 3_600_000,
} as const;

/** Facts about one export that the policy compares with the limits. */
export interface ExportFacts {
  /** Earlier jobs of this run that produced no file. */
  failedJobs: number;
  /** The last of them was not ready in time. */
  wasLate: boolean;
  /** A recent export produced a file. */
  hasLanded: boolean;
  /** Failed exports, over all runs since the last one that produced a file. */
  failures: number;
  /** The number of those whose request got no response. */
  lostRequests: number;
  /** An earlier run could not poll or download this job. */
  jobFailedBefore: boolean;
  /** The service has recognised this job. */
  isKnown: boolean;
  /** Consecutive polls of a job that the service did not recognise. */
  unknownPolls: number;
  /** Time since this run began to poll, in milliseconds. */
  waitedMs: number;
  patienceMs: number;
  /** Consecutive download attempts without new bytes. */
  fruitlessAttempts: number;
  /** Times that the download began at the first byte. */
  beginnings: number;
  /** The download has received bytes beyond those of earlier runs. */
  madeProgress: boolean;
}

/** Facts of a new export. */
export const initialExportFacts: ExportFacts = {
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
  madeProgress: false,
};

export function isOutOfJobs({ failedJobs, wasLate }: ExportFacts): boolean {
  return failedJobs >= limits.jobs || wasLate;
}

function hasJobsLeft({ failedJobs }: ExportFacts): boolean {
  return failedJobs + 1 < limits.jobs;
}

/** Returns true if a refused export is worth a retry: the previous one landed, and walking new zones takes hours. */
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
  return isFirstFailure(facts) || (facts.failures === 0 && facts.madeProgress);
}

function hasAttempts({ fruitlessAttempts, beginnings }: ExportFacts): boolean {
  return fruitlessAttempts < limits.fruitlessAttempts && beginnings <= limits.beginnings;
}

function hasAttemptsOnLink(facts: ExportFacts): boolean {
  const { fruitlessAttempts } = facts;
  const isLinkSpent = fruitlessAttempts > 0 && fruitlessAttempts % limits.fruitlessAttemptsPerLink === 0;
  return hasAttempts(facts) && !isLinkSpent;
}

/** Returns true if plans prefer walks after failed exports. @param sinceFailureMs since the last, in ms */
export function areExportsPaused(failures: number, sinceFailureMs: number): boolean {
  const sets = Math.floor(failures / limits.failuresBeforeRest);
  return sets > 0 && sinceFailureMs < limits.restMs * 2 ** (sets - 1);
}
