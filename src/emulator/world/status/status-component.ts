import { dayMs } from "../calendar-day.ts";
import type { WorldPlan } from "../world-plan.ts";
import { describeNoticeState, type Notice } from "./notice.ts";

/** A part of the service whose state is public. */
export interface StatusComponent {
  componentId: number;
  name: string;
  parentId: number | undefined;
}

const regions = ["North America East", "North America West", "Europe", "Asia"];

/** Top-level components with their children. */
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

/** Returns the connectivity component for the region of an IANA time zone. */
export function findConnectivityComponent(timeZone: string): StatusComponent {
  const region = timeZone.startsWith("Asia/") ? 3 : timeZone.startsWith("Europe/") ? 2 : undefined;
  const name = regions[region ?? (timeZone === "America/Los_Angeles" ? 1 : 0)];
  const found = statusComponents.find((component) => component.name === name);
  if (!found) throw new RangeError(`No component serves the time zone ${timeZone}.`);
  return found;
}

export interface ComponentState extends StatusComponent {
  state: "operational" | "degraded" | "under-maintenance";
  childCount: number;
  createdAtMs: number;
  updatedAtMs: number;
}

/** Returns the state of all components; a parent has the worst state of its children. */
export function componentsAt(plan: WorldPlan, notices: readonly Notice[], atMs: number): ComponentState[] {
  const createdAtMs = (plan.firstDay - 400) * dayMs;
  const states = notices.flatMap((notice) => describeNoticeState(notice, atMs) ?? []);
  return statusComponents.map((component) => {
    const family = statusComponents
      .filter((other) => other === component || other.parentId === component.componentId)
      .map(({ componentId }) => componentId);
    const concerning = states.filter(({ notice }) =>
      notice.componentIds.some((componentId) => family.includes(componentId)),
    );
    const isDegraded = concerning.some(({ effect }) => effect === "degraded");
    const isMaintained = concerning.some(({ effect }) => effect === "under-maintenance");
    return {
      ...component,
      state: isDegraded ? "degraded" : isMaintained ? "under-maintenance" : "operational",
      childCount: family.length - 1,
      createdAtMs,
      updatedAtMs: Math.max(createdAtMs, ...concerning.map(({ updatedAtMs }) => updatedAtMs)),
    };
  });
}
