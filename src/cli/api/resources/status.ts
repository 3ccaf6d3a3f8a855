import { eachStatusRecord } from "../../../api/each-record.ts";
import type { StatusList } from "../../../api/records/status/status-list.ts";
import type { StatusClient } from "../../../api/status-client.ts";
import { actionsOf, type Resource } from "../action.ts";
import { optional, required, toggle } from "../flags/flag.ts";
import { values } from "../flags/flag-values.ts";
import { type Column, number, text } from "../views/columns.ts";
import { jsonText } from "../views/json-text.ts";
import { either, record, table, type View } from "../views/view.ts";

const action = actionsOf<StatusClient>();

const listFlags = {
  page: optional(values.page),
  all: toggle("all pages", ["page"]),
};

interface ListInputs {
  page: number | undefined;
  all: boolean | undefined;
}

function listOrAll<Item extends { id: number }>(
  { page, all }: ListInputs,
  fetchPage: (page: number | undefined) => Promise<StatusList<Item>>,
): Promise<StatusList<Item>> | AsyncGenerator<Item> {
  return all ? eachStatusRecord(fetchPage) : fetchPage(page);
}

function listView<Item extends object>(
  name: string,
  ...columns: Column[]
): View<StatusList<Item> | AsyncGenerator<Item>> {
  const rows = table<Item>(...columns);
  const onePage: View<StatusList<Item>> = {
    async *text({ records, total_count, next }, options) {
      yield* rows.text(records, options);
      yield `Of ${total_count} in all${next === undefined ? "" : `; more with --page ${next}, or --all`}.\n`;
    },
    async *json({ records, total_count, next = null }) {
      const meta = { count: records.length, total_count, next_page: next };
      yield `${jsonText({ [name]: records, meta }, 2)}\n`;
    },
  };
  return either((answer): answer is StatusList<Item> => "records" in answer, onePage, rows);
}

export const status: Resource<StatusClient> = {
  name: "status",
  summary: "how the service itself is: state, components, notices; needs VENUE_STATUS_URL and no credentials",
  api: "status",
  actions: [
    action({
      name: "page",
      summary: "the state of the service as a whole",
      example: "",
      flags: {},
      call: ({ client, signal }) => client.page({ signal }),
      view: record({ wrap: (page) => ({ page }) }),
    }),
    action({
      name: "components",
      summary: "parts of the service and their state",
      example: "--top-level --all",
      flags: {
        topLevel: toggle("only those without a parent", ["parentId"]),
        parentId: optional(values.parentId),
        ...listFlags,
      },
      call: ({ client, signal }, { topLevel, parentId, ...inputs }) =>
        listOrAll(inputs, (page) => client.componentsPage({ isTopLevel: topLevel, parentId, page, signal })),
      view: listView(
        "components",
        number("id"),
        text("state"),
        text("name"),
        number("parent_id"),
        text("updated_at"),
        text("description"),
      ),
    }),
    action({
      name: "notices",
      summary: "incidents, maintenance and announcements",
      example: "--type unplanned --timeline-state present",
      flags: {
        type: optional(values.word("only of this type", ["general", "planned", "unplanned"])),
        timelineState: optional(
          values.word("only those of this time", ["future", "present", "past_recent", "past_distant"]),
        ),
        ...listFlags,
      },
      call: ({ client, signal }, { type, timelineState, ...inputs }) =>
        listOrAll(inputs, (page) => client.noticesPage({ type, timelineState, page, signal })),
      view: listView(
        "notices",
        number("id"),
        text("type"),
        text("timeline_state", "time"),
        text("state"),
        text("subject"),
        text("began_at"),
        text("ended_at"),
        text("latest_update.content", "latest_update"),
      ),
    }),
    action({
      name: "notice",
      summary: "one notice with its components and its whole progress",
      example: "--id 12",
      flags: { id: required(values.noticeId) },
      call: ({ client, signal }, { id }) => client.notice({ id, signal }),
      view: record({ wrap: (notice) => ({ notice }) }),
    }),
  ],
};
