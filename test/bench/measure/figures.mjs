/** Measurements by case, in the order of first appearance. */
export class Figures {
  #samples = new Map();
  #problems = new Map();

  /** Records the result of `measure` as a sample, or the reason of its failure; other cases still run. */
  async take(what, measure) {
    if (!this.#samples.has(what)) this.#samples.set(what, []);
    try {
      const sample = await measure();
      this.#samples.get(what).push(sample);
      return sample;
    } catch (error) {
      this.#problems.set(what, error.message);
      return undefined;
    }
  }

  get all() {
    return [...this.#samples.keys()].map((what) => this.of(what));
  }

  /** Medians over rounds, `least` and `most` in seconds; the peak is the highest of all rounds. */
  of(what) {
    const samples = this.#samples.get(what) ?? [];
    const seconds = samples.map((sample) => sample.seconds);
    const peaks = samples.flatMap(({ peakMb }) => (peakMb === undefined ? [] : [peakMb]));
    return {
      what,
      rounds: samples.length,
      seconds: median(seconds),
      least: Math.min(...seconds),
      most: Math.max(...seconds),
      cpuSeconds: median(samples.map(({ cpuSeconds }) => cpuSeconds)),
      peakMb: peaks.length > 0 ? Math.max(...peaks) : undefined,
      note: samples.at(-1)?.note,
      problem: this.#problems.get(what),
    };
  }
}

function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
