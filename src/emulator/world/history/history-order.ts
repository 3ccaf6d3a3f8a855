/** In which order pages list records. The service documents none. */
export const historyOrders = ["newest", "oldest", "unsorted"] as const;
export type HistoryOrder = (typeof historyOrders)[number];
