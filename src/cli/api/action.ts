import type { Clock } from "../../util/clock.ts";
import type { Logger } from "../../util/logger.ts";
import type { ProgressLine } from "../../util/text/progress-line.ts";
import type { Flags, Inputs } from "./flags/flag.ts";
import type { View } from "./views/view.ts";

/** What an action works with, beside its inputs. */
interface ActionTools<Client> {
  client: Client;
  signal: AbortSignal;
  clock: Clock;
  logger: Logger;
  progress: ProgressLine;
  /** Relative paths start here. */
  workingFolder: string;
}

/** One word after a resource: `venue api <resource> <action>`. */
interface ActionDefinition<Client, OfFlags extends Flags, Answer> {
  name: string;
  /** For lists of actions; no capital, no full stop. */
  summary: string;
  /** What else one has to know. */
  notes?: string;
  /** Its flags, as in `--zone-id 77`. */
  example: string;
  flags: OfFlags;
  /** Whether `--yes` is taken although nothing asks: its request is of a form that changes things, but it changes none. */
  isYesTaken?: boolean;
  /** What is wrong with the inputs taken together, before anything is asked for. */
  check?(inputs: Inputs<OfFlags>, workingFolder: string): string | undefined;
  /** Of an action that changes something: what is about to happen, without a full stop. */
  announce?(inputs: Inputs<OfFlags>, workingFolder: string): string;
  call(tools: ActionTools<Client>, inputs: Inputs<OfFlags>): Answer | Promise<Answer>;
  view: View<Answer, Inputs<OfFlags>>;
}

export type Action<Client> = ActionDefinition<Client, Flags, unknown>;

/** One word after `venue api`, with its actions. */
export interface Resource<Client extends Closable = Closable> {
  name: string;
  summary: string;
  /** Which of the service's two interfaces it belongs to. */
  api: "main" | "status";
  actions: readonly Action<Client>[];
}

interface Closable {
  close(): Promise<void>;
}

/** Lets each definition infer what its flags give. */
export function actionsOf<Client>() {
  return <OfFlags extends Flags, Answer>(
    definition: ActionDefinition<Client, OfFlags, Answer>,
  ): Action<Client> => definition as unknown as Action<Client>;
}
