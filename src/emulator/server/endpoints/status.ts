import { z } from "zod";
import { noticeTypes, statusAt, timelineStates } from "../../world/status.ts";
import { RefusalError } from "../refusal-error.ts";
import { type AddRoute, integerText } from "../routes.ts";
import type { Service } from "../service.ts";

/** Page size: the documented maximum. */
const pageSize = 25;

/** Prefixes that the service uses for links to the same list. */
const linkRoots = ["/v1/", "/api/v1/", "v1/"];

const page = integerText.pipe(z.int().min(1)).default(1);

/** The public status API: `api/v1/…`. */
export function addStatusRoutes(add: AddRoute, { clock, world }: Service): void {
  const now = () => statusAt(world.plan, clock.now.getTime());

  add("GET", "/api/v1/status", {}, () => ({ page: now().page }));

  const ofParent = {
    "filter[parent_id_null]": z.literal("true").optional(),
    "filter[parent_id_eq]": integerText.optional(),
    page,
  };
  add("GET", "/api/v1/components", ofParent, (inputs, c) => {
    const parentId = inputs["filter[parent_id_eq]"];
    const components = now()
      .components.filter(({ parent_id: parent }) => !inputs["filter[parent_id_null]"] || parent === null)
      .filter(({ parent_id: parent }) => parentId === undefined || parent === parentId);
    return statusList("components", components, inputs.page, c.req.url);
  });

  const ofType = {
    "filter[type_eq]": z.enum(noticeTypes).optional(),
    "filter[timeline_state_eq]": z.enum(timelineStates).optional(),
    page,
  };
  add("GET", "/api/v1/notices", ofType, (inputs, c) => {
    const { "filter[type_eq]": type, "filter[timeline_state_eq]": timelineState } = inputs;
    const notices = now()
      .notices.filter(({ notice }) => type === undefined || notice.type === type)
      .filter(({ notice }) => timelineState === undefined || notice.timeline_state === timelineState)
      .map(({ notice, updates }) => ({ ...notice, latest_update: updates.at(-1) }));
    return statusList("notices", notices, inputs.page, c.req.url);
  });

  add("GET", "/api/v1/notices/:id", { id: integerText }, ({ id }) => {
    const { notices, components } = now();
    const found = notices.find(({ notice }) => notice.id === id);
    if (!found) throw new RefusalError(404, "unknown_notice", `Notice ${id} does not exist.`);
    const affected = components
      .filter((component) => found.planned.componentIds.includes(component.id))
      .map(({ links: _, ...component }) => component);
    return { notice: { ...found.notice, components: affected, updates: found.updates } };
  });
}

/** Returns one page of a list, under its name, with its `meta`. */
function statusList(name: string, items: readonly object[], number: number, url: string): object {
  const { searchParams } = new URL(url);
  searchParams.set("page", String(number + 1));
  const records = items.slice((number - 1) * pageSize, number * pageSize);
  const link = `${linkRoots[number % linkRoots.length]}${name}?${searchParams}`;
  const nextPage = number * pageSize < items.length ? link : null;
  return { [name]: records, meta: { count: records.length, total_count: items.length, next_page: nextPage } };
}
