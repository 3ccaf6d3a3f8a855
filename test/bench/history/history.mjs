const secondsPerDay = 86_400;
const slotSeconds = 200;
const slotsPerDay = secondsPerDay / slotSeconds;
const openingSlot = 28_800 / slotSeconds;
/** Minutes ahead of UTC, assigned to zones in turn. */
const offsets = [-300, -360, -480, 60];
const songCount = 40_000;
/** Plays per zone and day: a zone is open for 14.5 hours from 8:00. */
export const playsPerDay = 260;

/**
 * A chain's music history with this many plays. From ten million plays on: 520 zones and one day per 135,200
 * plays; below that, 74 days and as many zones as needed. The day after it is always the last one of 2025.
 * Zones and their plays are numbered from 0; these two numbers alone determine a play.
 */
export function historyOf(plays) {
  const zones = Math.min(520, Math.max(offsets.length, Math.ceil(plays / (74 * playsPerDay))));
  const days = Math.ceil(plays / (zones * playsPerDay));
  const firstDay = Date.UTC(2026, 0, 1) / 1000 / secondsPerDay - days - 1;
  return { plays, zones, days, firstDay, playsOfOneDay: zones * playsPerDay };
}

export function offsetMinutes(zone) {
  return offsets[zone % offsets.length];
}

/** Number of the play that a zone begins in a 200 s slot, counted from the first day in UTC; -1 if closed. */
export function playInSlot(zone, slotUtc) {
  const slot = slotUtc + (offsetMinutes(zone) * 60) / slotSeconds - openingSlot;
  const day = Math.floor(slot / slotsPerDay);
  const ofDay = slot - day * slotsPerDay;
  return day >= 0 && ofDay < playsPerDay ? day * playsPerDay + ofDay : -1;
}

/** An integer below 2^32 that determines the random properties of a play. */
export function chanceOf(zone, play) {
  let mixed = Math.imul(zone + 7, 0x9e3779b1) ^ Math.imul(play + 1, 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d);
  mixed = Math.imul(mixed ^ (mixed >>> 12), 0x297a2d39);
  return (mixed ^ (mixed >>> 15)) >>> 0;
}

/** Any of the songs: most songs of a zone are played by it alone. */
export function songOf(chance) {
  return chance % songCount;
}

/** Offset of the play's start within its slot. */
export function secondsIntoSlot(chance) {
  return Math.floor(chance / songCount) % 60;
}

export function durationSeconds(chance) {
  return 120 + (Math.floor(chance / songCount / 60) % 80);
}

/** Local second of the day at which a play begins. */
export function secondOfDay(play, chance) {
  return (openingSlot + (play % playsPerDay)) * slotSeconds + secondsIntoSlot(chance);
}

/** `YYYY-MM-DD` */
export function dateOf({ firstDay }, day) {
  return new Date((firstDay + day) * secondsPerDay * 1000).toISOString().slice(0, 10);
}
