/**
 * Kinds of data that the days of a fact depend on. Each topic has separate dirty days, so that a change in one topic
 * does not rebuild the others.
 */
export const topics = ["plays", "campaigns", "devices"] as const;
export type Topic = (typeof topics)[number];

/** Tables of `core` that track a topic's days by kind ('' for devices) and date. */
export interface TopicTables {
  /** Days changed since the last build of the models. */
  dirty: string;
  /** Days built but not yet published. */
  unpublished: string;
}

export const topicTables: Readonly<Record<Topic, TopicTables>> = {
  plays: { dirty: "core.dirty_day", unpublished: "core.unpublished_day" },
  campaigns: { dirty: "core.dirty_campaign_day", unpublished: "core.unpublished_campaign_day" },
  devices: { dirty: "core.dirty_device_day", unpublished: "core.unpublished_device_day" },
};
