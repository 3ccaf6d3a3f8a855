/** The largest value that one part of a code holds, in seconds or times. */
const digits = 5;

/**
 * Times of a day as a text that SQL can take apart without lists: per run of times at the same distance 15 digits, five
 * each for its first time, for the seconds from one to the next, and for how many there are. `FREQ=HOURLY` is
 * `000000360000024`. Equal sets have equal codes.
 * @param times seconds since the day began, in order
 */
export function encodeTimes(times: readonly number[]): string {
  const runs: { first: number; step: number; count: number }[] = [];
  for (const time of times) {
    const run = runs.at(-1);
    const step = run && time - (run.first + run.step * (run.count - 1));
    if (run && step !== undefined && (run.count === 1 || step === run.step)) {
      run.step = step;
      run.count += 1;
    } else {
      runs.push({ first: time, step: 0, count: 1 });
    }
  }
  return runs
    .flatMap(({ first, step, count }) => [first, step, count])
    .map((value) => String(value).padStart(digits, "0"))
    .join("");
}
