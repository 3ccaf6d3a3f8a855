/** Something that the last run that collected could not do: what is published may lack it. */
export interface UnfinishedWork {
  /** E.g. `signage history of group 58429`. */
  subject: string;
  /** In a word: `failed`, `incomplete`, `stopped` or `interrupted`. */
  value: string;
  /** Why. */
  note: string;
}
