/** Why a rule has no dates: its message is short, for people, and becomes the campaign's `rule_error`. */
export class RuleError extends Error {
  override readonly name = "RuleError";
}
