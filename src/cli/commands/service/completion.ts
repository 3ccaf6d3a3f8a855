import { Argument, type Command } from "commander";
import { oneOf } from "../../arguments.ts";
import type { CliContext } from "../../cli-context.ts";

/**
 * Completion scripts. They call `venue complete`, which prints `name<tab>description` lines, or `@file` for
 * file names.
 */
const shells = {
  bash: {
    install: "venue completion bash > ~/.local/share/bash-completion/completions/venue",
    // Readline splits --flag=value into three words.
    script: `_venue() {
  local current=\${COMP_WORDS[COMP_CWORD]} line
  [ "$current" != '=' ] || current=''
  COMPREPLY=()
  while IFS=$'\\t' read -r line _; do
    case $line in
      @file) compopt -o default 2>/dev/null ;;
      "$current"*)
        # Attribute values may contain blanks and special characters.
        [[ $line != *[^[:alnum:]_,=./:@%+-]* ]] || printf -v line %q "$line"
        COMPREPLY+=("$line") ;;
    esac
  done < <(venue complete -- "\${COMP_WORDS[@]:1:COMP_CWORD-1}" "$current" 2>/dev/null)
}
complete -F _venue venue
`,
  },
  zsh: {
    install: "venue completion zsh > ~/.zfunc/_venue   # a folder in fpath",
    script: `#compdef venue
_venue() {
  local -a candidates
  local line
  for line in "\${(@f)$(venue complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    case $line in
      @file) _files; return ;;
      ?*) candidates+=("\${line/$'\\t'/:}") ;;
    esac
  done
  _describe -V venue candidates
}
if [ "\${funcstack[1]}" = _venue ]; then _venue "$@"; else compdef _venue venue; fi
`,
  },
  fish: {
    install: "venue completion fish > ~/.config/fish/completions/venue.fish",
    script: `function __venue_complete
    set -l words (commandline -opc) (commandline -ct)
    for line in (venue complete -- $words[2..-1] 2>/dev/null)
        if test "$line" = @file
            __fish_complete_path (commandline -ct)
        else
            echo $line
        end
    end
end
complete -c venue -f -a '(__venue_complete)'
`,
  },
};

type Shell = keyof typeof shells;

export function define(command: Command, context: CliContext): void {
  const names = Object.keys(shells) as Shell[];
  const shell = new Argument("<shell>", "shell to print the script for")
    .choices(names)
    .argParser(oneOf(...names));
  const lines = Object.values(shells).map(({ install }) => `  $ ${install}`);
  command
    .addArgument(shell)
    .addHelpText(
      "after",
      `\nSave it where the shell looks for completions; new shells use it:\n${lines.join("\n")}\n`,
    )
    .addHelpText("after", '\nExample:\n  $ eval "$(venue completion bash)"\n')
    .action((name: Shell) => context.print(shells[name].script));
}
