/**
 * A text as one segment of a path, whatever is in it.
 * @throws {RangeError} when no encoding can make it one: `.` and `..` mean other folders even when encoded
 */
export function pathSegment(text: string): string {
  if (text === "" || text === "." || text === "..") {
    throw new RangeError(`${JSON.stringify(text)} can't be part of a path`);
  }
  return encodeURIComponent(text);
}
