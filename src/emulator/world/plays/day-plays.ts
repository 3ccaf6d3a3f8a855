import type { Kind } from "../../../util/kind.ts";
import { type CalendarDay, dayMs } from "../calendar-day.ts";
import type { Asset } from "../content/asset.ts";
import { type ScheduledCampaign, scheduledCampaigns } from "../content/campaign.ts";
import type { ContentKind } from "../content/content-kind.ts";
import type { Artist, Song } from "../content/song.ts";
import { findOpening, findOutages, type Opening, type Outage, type Zone } from "../premises/zone.ts";
import { Random } from "../random.ts";
import { playScaleIn, type WorldPlan } from "../world-plan.ts";
import type { DayPlay, Echo } from "./day-play.ts";

/**
 * Returns the plays of the opening that starts on a local day, in chronological order. These few hundred
 * records are generated independently of other days. They include everything that will ever be recorded,
 * whatever the emulator's clock shows.
 */
export function listDayPlays(plan: WorldPlan, kind: Kind, zone: Zone, day: CalendarDay): DayPlay[] {
  const opening = findOpening(zone, day);
  if (!opening || playScaleIn(plan, kind, zone) === 0) return [];
  const random = new Random(plan.seed, kind, zone.zoneId, day);
  return kind === "music"
    ? musicOfDay(plan, zone, opening, random)
    : campaignPlaysOfDay(plan, kind, zone, opening, random);
}

/** Seconds of silence between songs. */
const pauseSecs = 2;

/** Plays songs one after another while the zone is open; a few are skipped, and some are very popular. */
function musicOfDay(plan: WorldPlan, zone: Zone, opening: Opening, random: Random): DayPlay[] {
  const { opensAtMs, closesAtMs } = opening;
  const playScale = playScaleIn(plan, "music", zone);
  const recorder = new DayRecorder(plan.seed, zone, random, opensAtMs, closesAtMs);
  let startedAtMs = opensAtMs + random.between(0, 60) * 1000;
  while (startedAtMs < closesAtMs) {
    const song =
      plan.songs[Math.floor(random.fraction() ** 2 * plan.songs.length)] ?? random.pick(plan.songs);
    const isSkipped = random.chance(0.03);
    const lengthSecs = isSkipped ? random.between(3, 29) : song.durationSecs;
    const playedSecs = Math.min(lengthSecs, (closesAtMs - startedAtMs) / 1000);
    recorder.record(startedAtMs, playedSecs, song, song.artists);
    startedAtMs += Math.max(1, Math.round((lengthSecs + pauseSecs) / playScale)) * 1000;
  }
  return recorder.plays;
}

/** Seconds between the turns at which a campaign plays on a screen or as an audio message. */
const turnSecs = { signage: 370, messaging: 1300 };

interface Turns extends ScheduledCampaign {
  taken: number;
}

/**
 * Returns the signage or messaging plays of one opening. At each turn, the scheduled campaign with the fewest
 * turns that day plays its next asset. Occasionally, a player fails to run a campaign for a whole day.
 */
function campaignPlaysOfDay(
  plan: WorldPlan,
  kind: ContentKind,
  zone: Zone,
  { opensAtMs, closesAtMs }: Opening,
  random: Random,
): DayPlay[] {
  const recorder = new DayRecorder(plan.seed, zone, random, opensAtMs, closesAtMs);
  const stepSecs = Math.max(1, Math.round(turnSecs[kind] / playScaleIn(plan, kind, zone)));
  let turns: readonly Turns[] = [];
  let turnsDay: CalendarDay | undefined;
  for (
    let turnAtMs = opensAtMs + random.between(0, stepSecs) * 1000;
    turnAtMs < closesAtMs;
    turnAtMs += stepSecs * 1000
  ) {
    const localMs = turnAtMs + zone.clock.offsetMinutesAt(turnAtMs) * 60_000;
    const day = Math.floor(localMs / dayMs);
    if (day !== turnsDay) {
      turns = turnsOfDay(plan, kind, zone, day);
      turnsDay = day;
    }
    const turn = findNextTurn(turns, Math.floor((localMs % dayMs) / 3_600_000));
    const asset = turn?.assets[turn.taken % turn.assets.length];
    if (!turn || !asset) continue;
    turn.taken += 1;
    const playedSecs = random.chance(0.03) ? random.between(1, asset.durationSecs - 1) : asset.durationSecs;
    recorder.record(turnAtMs, Math.min(playedSecs, (closesAtMs - turnAtMs) / 1000), asset);
  }
  return recorder.plays;
}

function turnsOfDay(plan: WorldPlan, kind: ContentKind, zone: Zone, day: CalendarDay): Turns[] {
  return scheduledCampaigns(plan.campaigns, kind, zone, day)
    .filter(({ campaign }) => {
      const random = new Random(plan.seed, "miss", kind, campaign.campaignId, zone.zoneId, day);
      return !random.chance(0.01);
    })
    .map((scheduled) => ({ ...scheduled, taken: 0 }));
}

function findNextTurn(turns: readonly Turns[], hour: number): Turns | undefined {
  let next: Turns | undefined;
  for (const turn of turns) {
    const hours = turn.campaign.recurrence?.hours;
    if (hours && !hours.includes(hour)) continue;
    if (!next || turn.taken < next.taken) next = turn;
  }
  return next;
}

const shares = { zeroSecond: 0.0015, late: 0.005, repeat: 0.002, running: 0.0005, otherArtist: 0.05 };

/** Converts the planned plays of one opening into the records that the service will have. */
class DayRecorder {
  readonly plays: DayPlay[] = [];
  readonly #zone: Zone;
  readonly #random: Random;
  readonly #outages: readonly Outage[];

  constructor(seed: number, zone: Zone, random: Random, opensAtMs: number, closesAtMs: number) {
    this.#zone = zone;
    this.#random = random;
    this.#outages = findOutages(seed, zone.deviceId, opensAtMs, closesAtMs);
  }

  /**
   * Records a play. Instants must increase. Plays that start while the device is down are recorded only if
   * the zone plays while down.
   */
  record(
    startedAtMs: number,
    plannedSecs: number,
    item: Song | Asset,
    artists: readonly Artist[] = [],
  ): void {
    const random = this.#random;
    const durationSecs = random.chance(shares.zeroSecond) ? 0 : plannedSecs;
    const isLate = random.chance(shares.late);
    const artist = artists.length > 1 ? random.pick(artists) : artists[0];
    const echo = this.#echoOf(durationSecs, artist, artists);
    const outage = this.#outages.find(
      (span) => startedAtMs >= span.startedAtMs && startedAtMs < span.endedAtMs,
    );
    let arrivesAtMs = isLate ? startedAtMs + (durationSecs + this.#delaySecs()) * 1000 : undefined;
    if (outage) {
      if (!this.#zone.playsWhileDown) return;
      arrivesAtMs = outage.endedAtMs + 600_000;
    }
    this.plays.push({ startedAtMs, durationSecs, item, artist, arrivesAtMs, echo });
  }

  /** Returns a delay of hours or days. */
  #delaySecs(): number {
    return this.#random.chance(0.5)
      ? this.#random.between(3600, 12 * 3600)
      : this.#random.between(86_400, 6 * 86_400);
  }

  #echoOf(durationSecs: number, artist: Artist | undefined, artists: readonly Artist[]): Echo | undefined {
    const draw = this.#random.fraction();
    if (draw < shares.repeat) return { form: "repeat" };
    if (draw < shares.repeat + shares.running) {
      return durationSecs > 1 ? { form: "running", durationSecs: Math.ceil(durationSecs / 3) } : undefined;
    }
    if (draw < shares.repeat + shares.running + shares.otherArtist) {
      const other = artists.find((candidate) => candidate !== artist);
      return other && { form: "artist", artist: other };
    }
    return undefined;
  }
}
