import type { RuleExpander } from "../build/lake/expand-rules.ts";
import { expandStoredRule, findRulesToExpand } from "../load/rules/campaign-dates.ts";
import { ruleExpansionVersion } from "../load/rules/rule-expansion-version.ts";

/** Finds dates of rules as a load does. */
export const ruleExpander: RuleExpander<Parameters<typeof expandStoredRule>[0]> = {
  get version() {
    return ruleExpansionVersion();
  },
  find: findRulesToExpand,
  expand: expandStoredRule,
};
