import { chanceOf, playInSlot, secondsIntoSlot } from "./history.mjs";

const batchSize = 16_384;

/** Plays from index `from` up to, excluding, `to`, of all zones in order of their start. */
export function* inOrderOfTime(history, from, to) {
  const batch = newBatch();
  const bySecond = Array.from({ length: 60 }, () => []);
  let passed = 0;
  for (let slot = 0; passed < to; slot += 1) {
    for (let zone = 0; zone < history.zones; zone += 1) {
      const play = playInSlot(zone, slot);
      if (play >= 0) bySecond[secondsIntoSlot(chanceOf(zone, play))].push(zone, play);
    }
    for (const plays of bySecond) {
      for (let at = 0; at < plays.length; at += 2) {
        if (passed >= from && passed < to) {
          add(batch, plays[at], plays[at + 1]);
          if (batch.count === batchSize) yield* taken(batch);
        }
        passed += 1;
      }
      plays.length = 0;
    }
  }
  yield* taken(batch);
}

/** Number of plays of each zone among the first `plays` in time order. */
function playsByZone(history, plays) {
  const counts = new Array(history.zones).fill(0);
  for (const { zones, count } of inOrderOfTime(history, 0, plays))
    for (let at = 0; at < count; at += 1) counts[zones[at]] += 1;
  return counts;
}

export function* firstOfEachZone(history) {
  const batch = newBatch();
  for (let zone = 0; zone < history.zones; zone += 1) {
    add(batch, zone, 0);
    if (batch.count === batchSize) yield* taken(batch);
  }
  yield* taken(batch);
}

export function* zoneByZone(history, plays) {
  const batch = newBatch();
  for (const [zone, count] of playsByZone(history, plays).entries()) {
    for (let play = 0; play < count; play += 1) {
      add(batch, zone, play);
      if (batch.count === batchSize) yield* taken(batch);
    }
  }
  yield* taken(batch);
}

/** The same plays, shuffled in constant memory: a permutation of the indices picks the n-th line. */
export function* shuffled(history, plays) {
  const batch = newBatch();
  const firstOfZone = [0];
  for (const count of playsByZone(history, plays)) firstOfZone.push(firstOfZone.at(-1) + count);
  const turn = permutationOf(plays);
  for (let line = 0; line < plays; line += 1) {
    const number = turn(line);
    const zone = lastAtMost(firstOfZone, number);
    add(batch, zone, number - firstOfZone[zone]);
    if (batch.count === batchSize) yield* taken(batch);
  }
  yield* taken(batch);
}

/** Permutes the numbers below `size`: a Feistel network, repeated while the result is out of range. */
function permutationOf(size) {
  const bits = Math.ceil(Math.log2(Math.max(size, 4)) / 2);
  const half = 2 ** bits;
  const once = (number) => {
    let [left, right] = [Math.floor(number / half), number % half];
    for (let round = 0; round < 4; round += 1)
      [left, right] = [right, (left ^ chanceOf(round, right)) & (half - 1)];
    return left * half + right;
  };
  return (number) => {
    let turned = once(number);
    while (turned >= size) turned = once(turned);
    return turned;
  };
}

function lastAtMost(ascending, number) {
  let [low, high] = [0, ascending.length - 2];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (ascending[middle] <= number) low = middle;
    else high = middle - 1;
  }
  return low;
}

function newBatch() {
  return { zones: new Int32Array(batchSize), plays: new Int32Array(batchSize), count: 0 };
}

function add(batch, zone, play) {
  batch.zones[batch.count] = zone;
  batch.plays[batch.count] = play;
  batch.count += 1;
}

function* taken(batch) {
  if (batch.count > 0) yield batch;
  batch.count = 0;
}
