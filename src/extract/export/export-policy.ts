/** Steps that a run can take. */
export type Step = "request" | "poll" | "download";

/**
 * - `land`: the file is complete
 * - `walk`: give up the export and walk the zones instead
 * - `deferred`: request the export once more when all other sources are done
 * - `nextRun`: report the error (exit code 3); the next run continues
 */
export type NextAction = Step | "land" | "walk" | "deferred" | "nextRun";

/** One rule of the policy. The first rule that matches applies. */
interface Rule {
  when?: (facts: ExportFacts) => boolean;
  next: NextAction;
  /** New state of the job in `state.db`. With `open`, the job stays open, and its failure is recorded. */
  job?: "failed" | "ambiguous" | "abandoned" | "open";
}

/**
 * Maps each step and response to the next step. Only this table decides whether an export is retried.
 * Separately, `src/api` retries failed requests, and the next run continues from the recorded state.
 */
const exportPolicy = {
  /** Looks up a job of an earlier run in `state.db`, because the service cannot list its jobs. */
  start: {
    noJob: [{ next: "request" }],
    /** The run was killed during the request. The service may have created a job, which does no harm. */
    requestCutOff: [{ next: "request", job: "ambiguous" }],
    jobOpen: [{ next: "poll" }],
    jobTooOld: [
      { when: ({ jobFailedBefore }) => jobFailedBefore, next: "request", job: "failed" },
      { next: "request", job: "abandoned" },
    ],
    /** The run was killed after downloading the file, but before recording it. */
    fileWhole: [{ next: "land" }],
    outOfJobs: [{ next: "walk" }],
  },
  /** `POST data/<kind>/history/export`, which `src/api` retries up to five times. */
  request: {
    accepted: [{ next: "poll" }],
    /** No response was received or readable. The service may have created a job, which does no harm. */
    responseLost: [
      { when: ({ lostRequests }) => lostRequests === 0, next: "nextRun", job: "ambiguous" },
      { next: "walk", job: "ambiguous" },
    ],
    refused: [
      { when: refusalMayPass, next: "deferred", job: "failed" },
      { next: "walk", job: "failed" },
    ],
    stopped: [{ next: "nextRun", job: "ambiguous" }],
    /** No connection, no token, or too many requests. Other requests would fail as well. */
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
    /** Status 5xx, or an unreadable response. */
    broken: [
      { when: isFirstFailure, next: "nextRun", job: "open" },
      { next: "walk", job: "failed" },
    ],
    unavailable: [{ next: "nextRun" }],
  },
  /**
   * One request to the link, either for missing bytes (Range) or for proof that no bytes are missing
   * (`PartialDownload`).
   */
  download: {
    whole: [{ next: "land" }],
    /** Truncated, damaged, not history, or not yet proven to be complete. */
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

/** A step and its response, such as `["poll", "failed"]`. */
export type Situation = {
  [Step in keyof Policy]: readonly [step: Step, response: keyof Policy[Step]];
}[keyof Policy];

export function findRule([step, response]: Situation, facts: ExportFacts): Rule {
  const rules = (exportPolicy[step] as Record<string, readonly Rule[]>)[response] ?? [];
  const rule = rules.find(({ when }) => when === undefined || when(facts));
  if (!rule) throw new Error(`No rule for ${step}, ${response}`);
  return rule;
}

/** Fixed limits and delays. Does not include `patienceMs`, which the sync sets. */
export const limits = {
  /** Number of jobs that may fail per group and kind in one run. */
  jobs: 3,
  /** Waits, in milliseconds, between polls of a new job that the service does not recognise yet. */
  unknownWaitsMs: [1_000, 2_000, 4_000, 8_000],
  /**
   * Maximum age of an unfinished job from an earlier run. A job's history ends at its request, so an older job
   * is not worth resuming.
   */
  staleMs: 12 * 3_600_000,
  /** Consecutive download attempts without new bytes. */
  fruitlessAttempts: 8,
  /** Like `fruitlessAttempts`, but per link, because a server may send any response to an expired link. */
  fruitlessAttemptsPerLink: 3,
  /** Number of times that a download may start from the first byte, which discards the bytes received before. */
  beginnings: 8,
  /** Consecutive failed exports after which plans prefer walks for `restMs`. */
  failuresBeforeRest: 3,
  /**
   * Pause in exports. Short enough for an attempt in the next day's run. Doubles after every further
   * `failuresBeforeRest` failures.
   */
  restMs: 20 * 3_600_000,
} as const;

/** Facts about one export that the policy compares with the limits. */
export interface ExportFacts {
  /** Number of this run's earlier jobs that produced no file. */
  failedJobs: number;
  /** True if the last of the failed jobs was not ready in time. */
  wasLate: boolean;
  /** True if a recent export produced a file. */
  hasLanded: boolean;
  /** Number of failed exports since the last one that produced a file, in all runs. */
  failures: number;
  /** Number of failures in which the request received no response. */
  lostRequests: number;
  /** True if an earlier run could not poll or download this job. */
  jobFailedBefore: boolean;
  /** True if the service has recognised this job. */
  isKnown: boolean;
  /** Consecutive polls of a job that the service did not recognise. */
  unknownPolls: number;
  /** Time since this run started polling, in milliseconds. */
  waitedMs: number;
  patienceMs: number;
  /** Consecutive download attempts without new bytes. */
  fruitlessAttempts: number;
  /** Number of times that the download started at the first byte. */
  beginnings: number;
  /** True if the download received bytes beyond those of earlier runs. */
  madeProgress: boolean;
}

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

/**
 * Returns true if a refused export is worth a retry: the previous export landed, and walking the zones may take
 * hours.
 */
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

/**
 * Returns true if plans should prefer walks because exports failed.
 * @param sinceFailureMs time since the last failure, in milliseconds
 */
export function areExportsPaused(failures: number, sinceFailureMs: number): boolean {
  const sets = Math.floor(failures / limits.failuresBeforeRest);
  return sets > 0 && sinceFailureMs < limits.restMs * 2 ** (sets - 1);
}
