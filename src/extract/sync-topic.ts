/** What `venue sync` can be told to collect. */
export const syncTopics = ["history", "devices", "campaigns", "status"] as const;
export type SyncTopic = (typeof syncTopics)[number];
