/**
 * Ids beyond are refused, wherever they are given or read, so that `id * 4 + kind` stays exact in every tool that
 * reads numbers as doubles.
 */
export const largestId = 2 ** 51 - 1;
