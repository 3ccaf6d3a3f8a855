/**
 * JSON that a terminal shows as it is: `JSON.stringify` leaves what is beyond ASCII's control characters, of which
 * some terminals obey a few.
 */
export function jsonText(value: unknown, indent?: number): string {
  return JSON.stringify(value, undefined, indent).replace(
    /[\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
