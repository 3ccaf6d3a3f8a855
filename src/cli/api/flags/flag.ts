/** One flag of an action. Its name follows from its key: `zoneId` is `--zone-id`. */
export interface Flag<Value> {
  /** What stands for the value in help; absent: a switch. */
  placeholder?: string;
  description: string;
  /** @throws {InvalidArgumentError} saying what is accepted */
  parse?: (text: string) => Value;
  /** The only texts that are accepted. */
  choices?: readonly string[];
  isRequired: boolean;
  /** Keys of flags that make no sense beside this one. */
  conflicts?: string[];
}

export type Flags = Record<string, Flag<unknown>>;

/** What an action is given: one value per flag. */
export type Inputs<OfFlags extends Flags> = {
  [Key in keyof OfFlags]: OfFlags[Key] extends Flag<infer Value> ? Value : never;
};

type Definition<Value> = Omit<Flag<Value>, "isRequired">;

export function required<Value>(definition: Definition<Value>): Flag<Value> {
  return { ...definition, isRequired: true };
}

export function optional<Value>(definition: Definition<Value>): Flag<Value | undefined> {
  return { ...definition, isRequired: false };
}

/** A flag without a value. */
export function toggle(description: string, conflicts: string[] = []): Flag<boolean | undefined> {
  return { description, isRequired: false, conflicts };
}

/** `zoneId` → `--zone-id` */
export function flagName(key: string): string {
  return `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
