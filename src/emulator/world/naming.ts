/** A name, and the one that replaced it where there was a renaming. */
export interface Naming {
  name: string;
  renamed?: { name: string; atMs: number };
}

/** History lines carry the name of the moment that they tell of, listings that of the moment they are asked. */
export function nameAt({ name, renamed }: Naming, instantMs: number): string {
  return renamed && instantMs >= renamed.atMs ? renamed.name : name;
}
