/** Terminal columns of a bar. */
export const barWidth = 8;

const eighths = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/** A bar as long as a share, given as people read it (`91.8 %`); blanks for what is no share. */
export function shareBar(percent: string): string {
  const share = Math.min(1, Math.max(0, Number.parseFloat(percent) / 100));
  // However small, it is not nothing.
  const length = share > 0 ? Math.max(1, Math.round(share * barWidth * 8)) : 0;
  return ("█".repeat(Math.floor(length / 8)) + (eighths[length % 8] ?? "")).padEnd(barWidth);
}
