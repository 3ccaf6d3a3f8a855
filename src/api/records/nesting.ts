/** No answer comes near this many arrays and objects in each other. Writing JSON ends the program at some thousands. */
const deepest = 500;

export const tooDeep = `it is nested more than ${deepest} levels deep`;

/** Whether a JSON value is nested deeper than any answer. */
export function isTooDeep(value: unknown, levels = deepest): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((part) => isTooDeep(part, levels - 1));
}
