/** One line in this many is broken, in ten ways in turn. */
const spoiledEvery = 1000;

const ways = [
  (line) => `${line.slice(0, 150)}\n`,
  () => "upstream connect error or disconnect\n",
  (line) => line.replace(/"zone_id":\d+,/, ""),
  (line) => line.replace(/"song_id":\d+/, '"song_id":true'),
  (line) => line.replace(/"song_id":\d+/, '"song_id":1e3'),
  (line) => line.replace(/"duration_secs":\d+/, '"duration_secs":"long"'),
  (line) => line.replace(/T\d\d:/, "T25:"),
  (line) => line.replace(/[+-]\d\d:00"/, '"'),
  (line) => line.replace('"song_name":"', '"song_name":"\u00e9'),
  () => "[]\n",
];

export function isSpoiled(lineIndex) {
  return lineIndex % spoiledEvery === spoiledEvery / 2;
}

export function spoiledCount(lines) {
  return Math.ceil(Math.max(0, lines - spoiledEvery / 2) / spoiledEvery);
}

/** Spoils the line from `at` to `end`; returns the position after it. One way leaves invalid UTF-8. */
export function spoil(buffer, at, end, lineIndex) {
  const line = buffer.latin1Slice(at, end);
  return at + buffer.latin1Write(ways[Math.floor(lineIndex / spoiledEvery) % ways.length](line), at);
}
