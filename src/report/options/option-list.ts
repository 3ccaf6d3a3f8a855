import { dimensions } from "../catalog/dimensions.ts";
import {
  chooseRows,
  listDimensions,
  listVariants,
  type ReportEntry,
  takesFilter,
  takesPeriod,
} from "../catalog/report-entry.ts";
import { formatCompare, parseCompare } from "./compare-option.ts";
import { type Listing, requireWord } from "./option-error.ts";
import {
  formatWhere,
  parseCount,
  parseIds,
  parseKind,
  parsePer,
  parseSearch,
  parseShare,
  parseSort,
  parseWhere,
  splitList,
} from "./parse-values.ts";
import { parsePeriod, periodExamples } from "./period-option.ts";
import { compareWords, type ReportRequest, type Subject } from "./request-options.ts";

/** The part of a request that earlier flags determine. */
interface Parsing {
  entry: ReportEntry;
  words: { from?: string; to?: string; failUnder?: string; top?: string };
  request: Pick<ReportRequest, "custom" | "by" | "compare">;
}

/** A flag of `venue report`, which is also an argument of page addresses and of tools for assistants. */
interface RequestOption {
  /** Placeholder of its value, e.g. `ids`. */
  value: string;
  /** For `--help` and assistants, which add the reports that accept it. */
  help: string;
  /** Label of its field on pages. */
  label: string;
  /** True if `--explain` accepts it. @default false */
  isOfCampaignDay?: boolean;
  /** Set for a filter by ids, which has no field on pages. */
  ids?: IdFilter;
  /** @default every report */
  isTaken?: (entry: ReportEntry, by: readonly string[]) => boolean;
  /** @throws {ReportOptionError} naming the option, the value and what is accepted */
  parse: (typed: readonly string[], parsing: Parsing) => Partial<ReportRequest>;
  /** @default not part of addresses */
  format?: (request: ReportRequest) => string | number | readonly (string | number)[] | undefined;
}

const period = { isTaken: takesPeriod };

function entityOption(word: Subject, help: string): RequestOption {
  return {
    ...{ value: "ids", help: `only these ${word}s: ${help}, comma-separated`, label: toLabel(word) },
    isOfCampaignDay: true,
    isTaken: (entry, by) => takesFilter(entry, word, by),
    parse: (typed) => {
      // Called only to reject empty values before any data is read.
      splitList(`--${word}`, typed);
      return { chosen: { [word]: typed } };
    },
    format: ({ chosen }) => chosen[word],
  };
}

/** A filter by ids, and the report that lists existing ones. */
interface IdFilter {
  key: "itemIds" | "artistIds" | "deviceIds" | "loadIds";
  table: string;
  listing: Listing;
}

function idOption(word: string, ids: IdFilter, maxId?: number): RequestOption {
  const { key } = ids;
  return {
    ...{ value: "ids", help: `only these ${word}s: ids, comma-separated`, label: toLabel(word), ids },
    isTaken: (entry, by) => takesFilter(entry, word, by),
    parse: (typed) => ({ [key]: parseIds(`--${word}`, typed, maxId) }),
    format: (request) => request[key],
  };
}

function toLabel(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
}

/** All flags, in the order of addresses and help. To add a filter, add a flag and its SQL. */
export const requestOptions = {
  by: {
    ...{
      value: "words",
      help: `group rows by: ${Object.keys(dimensions).join(", ")}, or attributes; comma-separated`,
      label: "Group by",
    },
    isTaken: (entry) => listDimensions(entry).length > 0,
    // Parsed first, because it determines which other flags are accepted.
    parse: () => ({}),
    format: ({ by }) => by,
  },
  from: {
    value: "date",
    help: `first local date, inclusive, or 7d, ${periodExamples} (default: the last 28 days with complete data; schedule: the next 7 days)`,
    label: "From",
    ...period,
    parse: (_typed, { words }) => parsePeriod(words),
    format: ({ from }) => from,
  },
  to: {
    value: "date",
    help: `last local date, inclusive, or ${periodExamples}`,
    label: "To",
    ...period,
    parse: (_typed, { words }) => parsePeriod(words),
    format: ({ to }) => to,
  },
  compare: {
    value: "period",
    help: `compare with another period: ${compareWords.join(", ")}, FROM..TO, or a period as for --from`,
    label: "Compare with",
    isTaken: ({ compared }) => compared !== undefined,
    parse: ([text = ""], { entry, words, request }) => ({
      compare: parseCompare(text, entry, request.by, words.failUnder !== undefined),
    }),
    format: ({ compare }) => compare && formatCompare(compare),
  },
  group: entityOption("group", "ids or names"),
  location: entityOption("location", "ids, names or cities"),
  zone: entityOption("zone", "ids or names"),
  kind: {
    ...{
      value: "kinds",
      help: "only these kinds: music (not compliance), signage, messaging; comma-separated",
      label: "Kind",
    },
    isOfCampaignDay: true,
    isTaken: (entry, by) => takesFilter(entry, "kind", by),
    parse: (typed, { entry }) => ({ kinds: splitList("--kind", typed).map((one) => parseKind(one, entry)) }),
    format: ({ kinds }) => kinds,
  },
  campaign: entityOption("campaign", "ids or names"),
  where: {
    value: "name=values",
    help: "only rows with these values of an attribute, e.g. region=North,South",
    label: "Filter",
    isTaken: (entry) => listVariants(entry).some(({ attributes }) => attributes.length > 0),
    parse: (typed) => ({ where: parseWhere(typed) }),
    format: ({ where = [] }) => formatWhere(where),
  },
  item: idOption("item", { key: "itemIds", table: "dim_item", listing: { report: "plays", by: "item" } }),
  artist: idOption("artist", {
    key: "artistIds",
    table: "dim_artist",
    listing: { report: "plays", by: "artist" },
  }),
  device: idOption("device", { key: "deviceIds", table: "dim_device", listing: { report: "devices" } }),
  // Load ids can exceed the service's largest id, because the warehouse assigns them.
  load: idOption(
    "load",
    { key: "loadIds", table: "fact_load", listing: { report: "loads" } },
    Number.MAX_SAFE_INTEGER,
  ),
  within: {
    ...{ value: "minutes", help: "repeats within this many minutes (default: 60)", label: "Within minutes" },
    isTaken: (entry, by) => takesFilter(entry, "within", by),
    parse: ([text = ""]) => ({ within: parseCount("--within", text, 1440) }),
    format: ({ within }) => within,
  },
  only: {
    value: "states",
    help: "only rows in these states, e.g. missed,missed_offline of compliance, down,silent of devices, running of delivery, outside_hours of plays",
    label: "State",
    isTaken: (entry, by) => entry.states !== undefined && "isInState" in chooseRows(entry, by),
    parse: (typed, { entry: { states = [] } }) =>
      ({
        onlyStates: splitList("--only", typed).map((state) => requireWord("--only", state, states)),
      }) as Partial<ReportRequest>,
    format: ({ onlyStates }) => onlyStates,
  },
  failUnder: {
    value: "share",
    help: "exit with code 1 if a row is below this ratio, e.g. 0.95, or for devices, the ratio that is not down",
    label: "Limit",
    isTaken: ({ threshold, testsDevices = false }) => threshold !== undefined || testsDevices,
    parse: ([text = ""]) => ({ failUnder: parseShare("--fail-under", text) }),
  },
  top: {
    ...{ value: "n", help: "only the n largest rows", label: "Maximum rows" },
    isTaken: ({ top }) => top !== undefined,
    parse: ([text = ""]) => ({ top: parseCount("--top", text) }),
    format: ({ top }) => top,
  },
  per: {
    value: "words",
    help: "with top: the n largest for each value of these dimensions of by",
    label: "For each",
    isTaken: (entry) => entry.top !== undefined && listDimensions(entry).length > 0,
    parse: (typed, { words, request: { by } }) => ({ per: parsePer(typed, by, words.top) }),
    format: ({ per }) => per,
  },
  sort: {
    ...{
      value: "column",
      help: "sort by this column; with a leading -, in descending order",
      label: "Order",
    },
    parse: ([text = ""], { entry, request }) => ({ sort: parseSort(text, entry, request) }),
    format: ({ sort }) => sort && `${sort.isDown ? "-" : ""}${sort.column}`,
  },
  search: {
    ...{ value: "text", help: "only rows with this text in a column", label: "Search" },
    parse: ([text = ""]) => ({ search: parseSearch(text) }),
    format: ({ search }) => search,
  },
} as const satisfies Record<string, RequestOption>;

export type Word = keyof typeof requestOptions;

/** Flags with a single value; all others accept lists, which may be repeated and have comma-separated values. */
const singleWords = ["from", "to", "compare", "failUnder", "top", "within", "sort", "search"] as const;
type SingleWord = (typeof singleWords)[number];

/** Flags as typed. */
export type TypedRequest = Readonly<
  Partial<Record<SingleWord, string> & Record<Exclude<Word, SingleWord>, readonly string[]>>
>;

export function isSingle(word: Word): boolean {
  return (singleWords as readonly Word[]).includes(word);
}

/** Lists all flags with their definitions. */
export function listWords(): [Word, RequestOption][] {
  return Object.entries(requestOptions) as [Word, RequestOption][];
}

/** Flags that are part of an address, in order. */
export const reportWords: readonly Word[] = listWords().flatMap(([word, { format }]) =>
  format ? [word] : [],
);

/** Filters by ids. */
export const idWords = listWords().flatMap(([word, { ids }]) => (ids ? [{ word, ...ids }] : []));

/** Returns true if a report by these dimensions, or by any if `by` is absent, accepts a flag. */
export function isTaken(entry: ReportEntry, word: Word, by?: readonly string[]): boolean {
  const { isTaken: takes = () => true }: RequestOption = requestOptions[word];
  if (by) return takes(entry, by);
  return [[], ...listDimensions(entry).map((one) => [one])].some((words) => takes(entry, words));
}

/** E.g. `--fail-under`. */
export function toFlag(word: string): string {
  return `--${word.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
