import type { ComponentState } from "../../world/status/component-state.ts";

/** A component as the status API writes it within a notice; listings add links. */
export function componentRecord(component: ComponentState): Record<string, unknown> {
  return {
    id: component.componentId,
    state: component.state,
    name: component.name,
    description: component.childCount > 0 ? `All of ${component.name.toLowerCase()}` : "",
    parent_id: component.parentId ?? null,
    created_at: new Date(component.createdAtMs).toISOString(),
    updated_at: new Date(component.updatedAtMs).toISOString(),
  };
}
