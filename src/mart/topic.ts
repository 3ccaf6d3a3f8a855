/** What a fact's days depend on. Each topic has days of its own that are dirty, so that none rebuilds another's. */
export const topics = ["plays", "campaigns", "devices"] as const;
export type Topic = (typeof topics)[number];

/** The tables of `core` that remember a topic's days: each has a kind (of devices '') and a date. */
export interface TopicTables {
  /** Changed since models were built last. */
  dirty: string;
  /** Built, but not yet published. */
  unpublished: string;
}

export const topicTables: Readonly<Record<Topic, TopicTables>> = {
  plays: { dirty: "core.dirty_day", unpublished: "core.unpublished_day" },
  campaigns: { dirty: "core.dirty_campaign_day", unpublished: "core.unpublished_campaign_day" },
  devices: { dirty: "core.dirty_device_day", unpublished: "core.unpublished_device_day" },
};
