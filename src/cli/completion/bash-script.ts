import type { CommandNode } from "./command-tree.ts";
import { posixFunctions } from "./posix-functions.ts";
import { tablesOf } from "./tables.ts";

/** Needs no other completion package; bash before 4 completes all but file names. */
export function bashScript(nodes: readonly CommandNode[]): string {
  return `# Completes venue in bash. Made by: venue completion bash
${posixFunctions(tablesOf(nodes, ":"))}
_venue() {
  local current=\${COMP_WORDS[COMP_CWORD]} line
  # Readline takes --flag=value for three words.
  [ "$current" != '=' ] || current=''
  COMPREPLY=()
  while IFS= read -r line; do
    case $line in
      @file) compopt -o default 2>/dev/null ;;
      @*) ;;
      *)
        line=\${line%%:*}
        case $line in
          "$current"*) COMPREPLY+=("$line") ;;
        esac
        ;;
    esac
  done < <(__venue_next "\${COMP_WORDS[@]:1:COMP_CWORD-1}" "$current")
}

complete -F _venue venue
`;
}
