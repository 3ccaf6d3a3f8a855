/** The name of a view, as people read it: `single-plays` → `Single plays`. */
export function reportTitle(view: string): string {
  return `${view.charAt(0).toUpperCase()}${view.slice(1).replaceAll("-", " ")}`;
}
