import type { CommandNode } from "./command-tree.ts";
import { posixFunctions } from "./posix-functions.ts";
import { tablesOf } from "./tables.ts";

/** Serves as a file in fpath and for \`eval\`. */
export function zshScript(nodes: readonly CommandNode[]): string {
  return `#compdef venue
# Completes venue in zsh. Made by: venue completion zsh
${posixFunctions(tablesOf(nodes, ":"))}
_venue() {
  local -a candidates
  local line
  for line in "\${(@f)$(__venue_next "\${(@)words[2,CURRENT]}")}"; do
    case $line in
      @file) _files; return ;;
      @*|'') ;;
      *) candidates+=("$line") ;;
    esac
  done
  _describe -V venue candidates
}

if [ "\${funcstack[1]}" = _venue ]; then
  _venue "$@"
else
  compdef _venue venue
fi
`;
}
