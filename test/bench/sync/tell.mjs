let missed = 0;

export function tell(what, figure, budget) {
  const isMissed = !(figure <= budget);
  if (isMissed) missed += 1;
  console.log(`${what.padEnd(78)} ${figure.toFixed(2)}  (budget ${budget})${isMissed ? "  MISSED" : ""}`);
}

export function countMissed() {
  return missed;
}
