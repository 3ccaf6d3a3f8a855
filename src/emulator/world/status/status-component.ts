/** A part of the service whose state is public. */
export interface StatusComponent {
  componentId: number;
  name: string;
  parentId: number | undefined;
}

const regions = ["North America East", "North America West", "Europe", "Asia"];

/** Top-level components, each with its children. */
const names: readonly (readonly [string, readonly string[]])[] = [
  ["Player connectivity", regions],
  ["Music playback", [...regions, "Streaming catalogue"]],
  ["Signage playback", regions],
  ["Audio messaging", regions],
  ["Main API", ["Devices", "Music control", "Playlists", "Campaigns", "Playback history", "Exports"]],
  ["Portal", ["Sign-in", "Reports", "Support"]],
  ["Uploads", []],
  ["Screenshots", []],
  ["Status page", []],
];

export const statusComponents: readonly StatusComponent[] = names.flatMap(([name, children], index) => {
  const componentId = 310 + index * 10;
  const parent = { componentId, name, parentId: undefined };
  return [
    parent,
    ...children.map((child, ordinal) => ({
      componentId: componentId + 1 + ordinal,
      name: child,
      parentId: componentId,
    })),
  ];
});

/** The component of players' connectivity that serves an IANA time zone. */
export function connectivityOf(timeZone: string): StatusComponent {
  const region = timeZone.startsWith("Asia/") ? 3 : timeZone.startsWith("Europe/") ? 2 : undefined;
  const name = regions[region ?? (timeZone === "America/Los_Angeles" ? 1 : 0)];
  const found = statusComponents.find((component) => component.name === name);
  if (!found) throw new RangeError(`There is no component for ${timeZone}.`);
  return found;
}
