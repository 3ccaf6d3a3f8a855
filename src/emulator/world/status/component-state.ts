import { dayMs } from "../calendar-day.ts";
import type { WorldPlan } from "../world-plan.ts";
import type { Notice } from "./notice.ts";
import { stateOfNotice } from "./notice-state.ts";
import { type StatusComponent, statusComponents } from "./status-component.ts";

/** A component as it stands at an instant. */
export interface ComponentState extends StatusComponent {
  state: "operational" | "degraded" | "under-maintenance";
  childCount: number;
  createdAtMs: number;
  updatedAtMs: number;
}

/** All components; a parent is as bad as the worst of its children. */
export function componentsAt(plan: WorldPlan, notices: readonly Notice[], atMs: number): ComponentState[] {
  const createdAtMs = (plan.firstDay - 400) * dayMs;
  const states = notices.flatMap((notice) => stateOfNotice(notice, atMs) ?? []);
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
