import { displayWidth } from "../../text/display-text.ts";

/** A text over as many lines as it needs; a longer word has a line of its own. */
export function wrapWords(text: string, width: number): string {
  const lines: string[][] = [];
  let used = 0;
  for (const word of text.split(" ")) {
    const wordWidth = displayWidth(word);
    const line = lines.at(-1);
    if (line !== undefined && used + 1 + wordWidth <= width) {
      line.push(word);
      used += 1 + wordWidth;
    } else {
      lines.push([word]);
      used = wordWidth;
    }
  }
  return lines.map((words) => words.join(" ")).join("\n");
}
