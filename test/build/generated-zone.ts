import fc from "fast-check";

const daySeconds = 86_400;
const dayMinutes = 1440;

/** A zone in its own group: clock, hours, plays, and listings of its devices. */
export interface GeneratedZone {
  clock: NamedClock | OffsetClock;
  /** Empty: hours are learnt from plays. */
  hours: readonly GeneratedSpan[];
  plays: GeneratedPlay[];
  /** First listing, in seconds after the first day's midnight UTC. */
  listedFrom: number;
  listings: GeneratedListing[];
}

/** A clock that changes in the night after the first day; the zone's hours are configured. */
interface NamedClock {
  timeZone: string;
  /** The last day before the change. */
  date: string;
}

/** Offsets known only from plays, in minutes. */
interface OffsetClock {
  before: number;
  after: number;
  /** Instant of the change, in seconds after the first day's midnight UTC. */
  changesAt: number;
}

/** In minutes. */
export interface GeneratedSpan {
  /** Days after the day before the first. */
  day: number;
  opens: number;
  length: number;
}

export interface GeneratedPlay {
  /** Seconds after the end of the previous play; null if independent of it. */
  follows: number | null;
  /** Days after the first. */
  day: number;
  second: number;
  /** True if `second` is the end of the play instead of its start. */
  isEnd: boolean;
  durationSecs: number;
}

export interface GeneratedListing {
  /** Seconds since the previous one. */
  pause: number;
  devices: readonly (GeneratedDevice | null)[];
}

interface GeneratedDevice {
  status: string;
  /** Seconds before the listing; negative is in the future. */
  onlineAgo: number | null;
}

/** Around ten minutes, the threshold for silence. */
const shortSeconds = fc.constantFrom(0, 1, 300, 599, 600, 601);

/** Often close to a full hour, when opening hours begin and end, and especially to midnight. */
const secondOfDay = fc.oneof(
  fc
    .tuple(fc.oneof(fc.constantFrom(0, 24), fc.nat({ max: 24 })), fc.constantFrom(-1, 1), shortSeconds)
    .map(([hour, side, seconds]) => hour * 3600 + side * seconds),
  fc.nat({ max: daySeconds - 1 }),
);

const arbitraryPlay: fc.Arbitrary<GeneratedPlay> = fc.record({
  follows: fc.option(shortSeconds, { nil: null, freq: 1 }),
  day: fc.oneof(
    { weight: 9, arbitrary: fc.nat({ max: 2 }) },
    { weight: 1, arbitrary: fc.constantFrom(-7, -1) },
  ),
  second: secondOfDay,
  isEnd: fc.boolean(),
  durationSecs: fc.oneof(
    { weight: 6, arbitrary: shortSeconds },
    { weight: 6, arbitrary: fc.nat({ max: 4 * 3600 }) },
    { weight: 2, arbitrary: fc.constantFrom(43_200, 86_399, 86_400) },
    { weight: 1, arbitrary: fc.constantFrom(86_401, 300_000, 31 * daySeconds) },
  ),
});

const arbitrarySpan: fc.Arbitrary<GeneratedSpan> = fc.record({
  day: fc.nat({ max: 4 }),
  opens: fc.oneof(
    fc.nat({ max: 23 }).map((hour) => hour * 60),
    fc.constantFrom(0, 1439),
    fc.nat({ max: 1439 }),
  ),
  length: fc.oneof(
    fc.integer({ min: 1, max: 24 }).map((hours) => hours * 60),
    fc.constantFrom(1, 10, 11, dayMinutes),
    fc.integer({ min: 1, max: dayMinutes }),
  ),
});

const allDay = [0, 1, 2, 3, 4, 5, 6].map((day): GeneratedSpan => ({ day, opens: 0, length: dayMinutes }));
const none = fc.constant<GeneratedSpan[]>([]);
const givenHours = fc.oneof(
  { weight: 1, arbitrary: fc.constant(allDay) },
  { weight: 2, arbitrary: fc.array(arbitrarySpan, { minLength: 1, maxLength: 8 }) },
);

const arbitraryDevice: fc.Arbitrary<GeneratedDevice> = fc.record({
  status: fc.oneof(
    { weight: 6, arbitrary: fc.constant("online") },
    { weight: 3, arbitrary: fc.constant("offline") },
    { weight: 1, arbitrary: fc.constant("rebooting") },
  ),
  onlineAgo: fc.option(
    fc.oneof(fc.constantFrom(-600, 0, 899, 900, 901), fc.nat({ max: 12 * 3600 }), fc.nat({ max: 400_000 })),
    { nil: null, freq: 8 },
  ),
});

const pause = fc.oneof(
  fc.constantFrom(600, 601, 899, 900, 901, 3600),
  fc.integer({ min: 1, max: 4 * 3600 }),
  fc.integer({ min: 1, max: 20 * 3600 }),
);
const anyListings = fc
  .constantFrom(1, 2)
  .map((devices) => ({ minLength: devices, maxLength: devices }))
  .chain((length) =>
    fc.array(
      fc.record({ pause, devices: fc.array(fc.option(arbitraryDevice, { nil: null, freq: 8 }), length) }),
      { minLength: 2, maxLength: 10 },
    ),
  );
/** Up all the time, so every open span without plays is silent. */
const upListings = fc.array(
  fc.record({
    pause: fc.integer({ min: 7 * 3600, max: 8 * 3600 }),
    devices: fc.constant([{ status: "online", onlineAgo: 0 }]),
  }),
  { minLength: 5, maxLength: 10 },
);
const arbitraryListings = fc.oneof(anyListings, upListings);

/** They change between 23:00 and 03:00, some at midnight; Lord Howe by half an hour. */
const changes: NamedClock[] = [
  { timeZone: "Europe/Berlin", date: "2026-10-24" },
  { timeZone: "Europe/London", date: "2026-10-24" },
  { timeZone: "America/New_York", date: "2026-10-31" },
  { timeZone: "Australia/Sydney", date: "2026-10-03" },
  { timeZone: "Australia/Lord_Howe", date: "2026-10-03" },
  { timeZone: "America/Santiago", date: "2026-04-04" },
  { timeZone: "America/Santiago", date: "2026-09-05" },
  { timeZone: "Africa/Cairo", date: "2026-10-29" },
  { timeZone: "Asia/Beirut", date: "2026-03-28" },
  { timeZone: "America/Havana", date: "2026-10-31" },
  { timeZone: "Atlantic/Azores", date: "2026-10-24" },
];
const hasChange = fc.constantFrom(...changes);
/** The start of skipped or repeated hours is undefined, so none are learnt around a change. */
const hasNoChange = hasChange.map((clock) => ({ ...clock, date: "2026-10-14" }));

const offsetClock: fc.Arbitrary<OffsetClock> = fc
  .record({
    before: fc.constantFrom(0, -660, -300, 330, 765, 780),
    change: fc.constantFrom(0, 0, -60, 60, 30),
    changesAt: fc.nat({ max: 3 * daySeconds }),
  })
  .map(({ before, change, changesAt }) => ({ before, after: before + change, changesAt }));

export const arbitraryZone: fc.Arbitrary<GeneratedZone> = fc
  .oneof(
    fc.record({ clock: hasChange, hours: givenHours }),
    fc.record({ clock: hasNoChange, hours: none }),
    fc.record({ clock: offsetClock, hours: fc.oneof(givenHours, none) }),
  )
  .chain(({ clock, hours }) =>
    fc.record({
      clock: fc.constant(clock),
      hours: fc.constant(hours),
      plays: fc.array(arbitraryPlay, { maxLength: 12 }),
      listedFrom: fc.nat({ max: daySeconds }),
      listings: arbitraryListings,
    }),
  );
