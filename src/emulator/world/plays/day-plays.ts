import type { Kind } from "../../../util/kind.ts";
import { type CalendarDay, dayMs } from "../calendar-day.ts";
import {
  type Asset,
  type ContentKind,
  type ScheduledCampaign,
  scheduledCampaigns,
} from "../content/campaign.ts";
import type { Artist, Song } from "../content/song.ts";
import { findOpening, findOutages, type Opening, type Zone } from "../premises/zone.ts";
import { Random } from "../random.ts";
import { playScaleIn, type WorldPlan } from "../world-plan.ts";

/** The final record of a play. */
export interface DayPlay {
  /** Epoch ms, in whole seconds. Unique within a zone and kind. */
  startedAtMs: number;
  /** 0 if the player gave up immediately. */
  durationSecs: number;
  item: Song | Asset;
  /** The artist in the play's line; only for music. */
  artist: Artist | undefined;
  /** Instant at which the play is reported; undefined if it appears during the play, with a growing duration. */
  arrivesAtMs: number | undefined;
  /** A second line for the same play, if any. */
  echo: Echo | undefined;
}

/**
 * Form of a play's second line:
 * - `repeat`: the same line again, later in the export
 * - `running`: a line with the duration so far, in seconds
 * - `artist`: a line with the song's other artist
 */
type Echo =
  | { form: "repeat" }
  | { form: "running"; durationSecs: number }
  | { form: "artist"; artist: Artist };

/** Returns a play's duration at an instant, as returned by the service; undefined if it is not visible yet. */
export function findVisibleSeconds(
  { startedAtMs, durationSecs, arrivesAtMs }: DayPlay,
  atMs: number,
): number | undefined {
  if (arrivesAtMs !== undefined) return arrivesAtMs <= atMs ? durationSecs : undefined;
  const elapsedSecs = Math.floor((atMs - startedAtMs) / 1000);
  if (elapsedSecs < 1) return undefined;
  return Math.min(durationSecs, elapsedSecs);
}

/**
 * Returns the plays of the opening that starts on a local day, in chronological order. These few hundred
 * records are generated independently of other days. They include everything that will ever be recorded,
 * regardless of the emulator's clock.
 */
export function listDayPlays(plan: WorldPlan, kind: Kind, zone: Zone, day: CalendarDay): DayPlay[] {
  const opening = findOpening(zone, day);
  if (!opening || playScaleIn(plan, kind, zone) === 0) return [];
  const random = new Random(plan.seed, kind, zone.zoneId, day);
  const turns =
    kind === "music"
      ? musicTurns(plan, zone, opening, random)
      : campaignTurns(plan, kind, zone, opening, random);
  const outages = findOutages(plan.seed, zone.deviceId, opening.opensAtMs, opening.closesAtMs);
  const plays: DayPlay[] = [];
  for (const turn of turns) {
    const play = recordTurn(turn, random);
    const { startedAtMs } = play;
    const outage = outages.find((span) => startedAtMs >= span.startedAtMs && startedAtMs < span.endedAtMs);
    if (!outage) plays.push(play);
    else if (zone.playsWhileDown) plays.push({ ...play, arrivesAtMs: outage.endedAtMs + 600_000 });
  }
  return plays;
}

/** A play as planned, before the player records it. */
interface Turn {
  startedAtMs: number;
  secs: number;
  item: Song | Asset;
  artists: readonly Artist[];
}

/** Seconds of silence between songs. */
const pauseSecs = 2;

/** Yields songs one after another while the zone is open. A few are skipped, and some are very popular. */
function* musicTurns(plan: WorldPlan, zone: Zone, opening: Opening, random: Random): Generator<Turn> {
  const { opensAtMs, closesAtMs } = opening;
  const playScale = playScaleIn(plan, "music", zone);
  let startedAtMs = opensAtMs + random.between(0, 60) * 1000;
  while (startedAtMs < closesAtMs) {
    const song =
      plan.songs[Math.floor(random.fraction() ** 2 * plan.songs.length)] ?? random.pick(plan.songs);
    const isSkipped = random.chance(0.03);
    const lengthSecs = isSkipped ? random.between(3, 29) : song.durationSecs;
    const secs = Math.min(lengthSecs, (closesAtMs - startedAtMs) / 1000);
    yield { startedAtMs, secs, item: song, artists: song.artists };
    startedAtMs += Math.max(1, Math.round((lengthSecs + pauseSecs) / playScale)) * 1000;
  }
}

/** Seconds between the turns at which a campaign plays on a screen or as an audio message. */
const turnSecs = { signage: 370, messaging: 1300 };

interface CampaignDay extends ScheduledCampaign {
  turnsTaken: number;
}

/**
 * Yields the signage or messaging turns of one opening. At each turn, the scheduled campaign with the fewest
 * turns that day plays its next asset. Occasionally, a player fails to run a campaign for a whole day.
 */
function* campaignTurns(
  plan: WorldPlan,
  kind: ContentKind,
  zone: Zone,
  { opensAtMs, closesAtMs }: Opening,
  random: Random,
): Generator<Turn> {
  const stepMs = Math.max(1, Math.round(turnSecs[kind] / playScaleIn(plan, kind, zone))) * 1000;
  let campaigns: readonly CampaignDay[] = [];
  let campaignsDay: CalendarDay | undefined;
  let startedAtMs = opensAtMs + random.between(0, stepMs / 1000) * 1000;
  for (; startedAtMs < closesAtMs; startedAtMs += stepMs) {
    const localMs = startedAtMs + zone.clock.offsetMinutesAt(startedAtMs) * 60_000;
    const day = Math.floor(localMs / dayMs);
    if (day !== campaignsDay) {
      campaigns = campaignsOfDay(plan, kind, zone, day);
      campaignsDay = day;
    }
    const campaign = findNext(campaigns, Math.floor((localMs % dayMs) / 3_600_000));
    const asset = campaign?.assets[campaign.turnsTaken % campaign.assets.length];
    if (!campaign || !asset) continue;
    campaign.turnsTaken += 1;
    const secs = random.chance(0.03) ? random.between(1, asset.durationSecs - 1) : asset.durationSecs;
    const remainingSecs = (closesAtMs - startedAtMs) / 1000;
    yield { startedAtMs, secs: Math.min(secs, remainingSecs), item: asset, artists: [] };
  }
}

function campaignsOfDay(plan: WorldPlan, kind: ContentKind, zone: Zone, day: CalendarDay): CampaignDay[] {
  return scheduledCampaigns(plan.campaigns, kind, zone, day)
    .filter(({ campaign }) => {
      const random = new Random(plan.seed, "miss", kind, campaign.campaignId, zone.zoneId, day);
      return !random.chance(0.01);
    })
    .map((scheduled) => ({ ...scheduled, turnsTaken: 0 }));
}

function findNext(campaigns: readonly CampaignDay[], hour: number): CampaignDay | undefined {
  let next: CampaignDay | undefined;
  for (const candidate of campaigns) {
    const hours = candidate.campaign.recurrence?.hours;
    if (hours && !hours.includes(hour)) continue;
    if (!next || candidate.turnsTaken < next.turnsTaken) next = candidate;
  }
  return next;
}

const shares = { zeroSecond: 0.0015, late: 0.005, repeat: 0.002, running: 0.0005, otherArtist: 0.05 };

/** Converts a turn into the service's record. A few records arrive hours or days late. */
function recordTurn({ startedAtMs, secs, item, artists }: Turn, random: Random): DayPlay {
  const durationSecs = random.chance(shares.zeroSecond) ? 0 : secs;
  const isLate = random.chance(shares.late);
  const artist = artists.length > 1 ? random.pick(artists) : artists[0];
  const echo = drawEcho(random, { durationSecs, artist }, artists);
  let arrivesAtMs: number | undefined;
  if (isLate) {
    const isSameDay = random.chance(0.5);
    const delaySecs = isSameDay ? random.between(3600, 12 * 3600) : random.between(86_400, 6 * 86_400);
    arrivesAtMs = startedAtMs + (durationSecs + delaySecs) * 1000;
  }
  return { startedAtMs, durationSecs, item, artist, arrivesAtMs, echo };
}

function drawEcho(
  random: Random,
  { durationSecs, artist }: Pick<DayPlay, "durationSecs" | "artist">,
  artists: readonly Artist[],
): Echo | undefined {
  const draw = random.fraction();
  if (draw < shares.repeat) return { form: "repeat" };
  const isRunning = draw < shares.repeat + shares.running;
  if (isRunning && durationSecs > 1) return { form: "running", durationSecs: Math.ceil(durationSecs / 3) };
  const isOther = !isRunning && draw < shares.repeat + shares.running + shares.otherArtist;
  const other = artists.find((candidate) => candidate !== artist);
  return isOther && other ? { form: "artist", artist: other } : undefined;
}
