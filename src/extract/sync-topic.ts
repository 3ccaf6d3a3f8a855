export const syncTopics = ["history", "devices", "campaigns", "status"] as const;
export type SyncTopic = (typeof syncTopics)[number];
