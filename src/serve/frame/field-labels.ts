import type { Wording } from "../../report/options/report-option-error.ts";
import { dayText } from "../../report/text/people-text.ts";

/** What the fields of the bar are called, by their words. */
export const fieldLabels = {
  by: "A row per",
  from: "From",
  to: "To",
  compare: "Compare with",
  kind: "Kind",
  only: "Only days",
  campaign: "Campaign",
  zone: "Zone",
  location: "Location",
  group: "Group",
  item: "Item",
  artist: "Artist",
  device: "Device",
  load: "Load",
  top: "At most",
  search: "Search",
  sort: "Order",
  date: "Date",
  explain: "This page",
} as const;

/** As messages name them on a page, where nobody types flags. */
export const pageWording: Wording = {
  option: (option) => {
    const word = option.replace(/^--/, "");
    const label = Object.hasOwn(fieldLabels, word) ? fieldLabels[word as keyof typeof fieldLabels] : word;
    return /\s/.test(label) && word !== "explain" ? `"${label}"` : label;
  },
  date: dayText,
  listing: () => "",
};
