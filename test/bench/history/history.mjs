const secondsPerDay = 86_400;
const slotSeconds = 200;
const slotsPerDay = secondsPerDay / slotSeconds;
const openingSlot = 28_800 / slotSeconds;
/** Minutes ahead of UTC; zones take them in turn. */
const offsets = [-300, -360, -480, 60];
const songCount = 40_000;
/** Plays of a zone on a day: it opens at 8:00 for fourteen and a half hours. */
export const playsPerDay = 260;

/**
 * A chain's music history of so many plays: 520 zones and a day more for each 135,200 plays from ten million on; below
 * that 74 days, and as many zones as it takes. The day after it is the last one of 2025, wherever it begins.
 * Zones and their plays are numbered from 0; what a play is follows from its two numbers alone.
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

/** The number of the play that a zone begins in a slot of 200 s, counted from the first day on in UTC; -1: it is closed. */
export function playInSlot(zone, slotUtc) {
  const slot = slotUtc + (offsetMinutes(zone) * 60) / slotSeconds - openingSlot;
  const day = Math.floor(slot / slotsPerDay);
  const ofDay = slot - day * slotsPerDay;
  return day >= 0 && ofDay < playsPerDay ? day * playsPerDay + ofDay : -1;
}

/** A whole number below 2^32 that says all that is left to chance about a play. */
export function chanceOf(zone, play) {
  let mixed = Math.imul(zone + 7, 0x9e3779b1) ^ Math.imul(play + 1, 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d);
  mixed = Math.imul(mixed ^ (mixed >>> 12), 0x297a2d39);
  return (mixed ^ (mixed >>> 15)) >>> 0;
}

/** Any of all songs: what a zone plays is mostly played by it alone. */
export function songOf(chance) {
  return chance % songCount;
}

/** How far into its slot a play begins. */
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
