/** Finds the first line that is not valid text. Lines are numbered from 1. */
export function findInvalidLine(
  content: Buffer,
  isValid: (line: Buffer) => boolean,
): { lineNumber: number; line: string } | undefined {
  const lines = content.toString("latin1").split("\n");
  const index = lines.findIndex((line) => !isValid(Buffer.from(line, "latin1")));
  return index < 0 ? undefined : { lineNumber: index + 1, line: lines[index] ?? "" };
}
