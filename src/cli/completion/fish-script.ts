import type { CommandNode } from "./command-tree.ts";
import { type Table, tablesOf } from "./tables.ts";

export function fishScript(nodes: readonly CommandNode[]): string {
  const { commands, words, flags, values } = tablesOf(nodes, "\t");
  return `# Completes venue in fish. Made by: venue completion fish
function __venue_is_command
    switch "$argv[1]"
        case ${commands.map(quote).join(" ")}
            return 0
    end
    return 1
end

${tableFunction("__venue_words", words)}
${tableFunction("__venue_flags", flags)}
${tableFunction("__venue_own_values", values)}
function __venue_values
    set -l lines (__venue_own_values "$argv[1]:$argv[2]")
    if test (count $lines) -gt 0
        printf '%s\\n' $lines
    else
        __venue_own_values "settings:$argv[2]"
    end
end

function __venue_show
    for line in $argv
        switch $line
            case @file
                __fish_complete_path (commandline -ct)
            case '@*'
            case '*'
                printf '%s\\n' $line
        end
    end
end

function __venue_next
    set -l at ''
    set -l option ''
    set -l before (commandline -opc)
    set -l current (commandline -ct)
    for word in $before[2..-1]
        if test -n "$option"
            set option ''
            continue
        end
        switch $word
            case '--*=*'
            case '-*'
                if count (__venue_values "$at" "$word") >/dev/null
                    set option $word
                end
            case '*'
                set -l next (string trim -- "$at $word")
                if __venue_is_command $next
                    set at $next
                end
        end
    end
    if test -n "$option"
        __venue_show (__venue_values "$at" "$option")
        return
    end
    switch "$current"
        case '--*=*'
            set option (string replace -r '=.*' '' -- $current)
            for line in (__venue_values "$at" "$option")
                string match -q '@*' -- $line; or printf '%s=%s\\n' $option $line
            end
        case '-*'
            __venue_show (__venue_flags $at)
            test -z "$at"; or test "$current" = -; or test "$current" = --; or __venue_show (__venue_flags settings)
        case '*'
            __venue_show (__venue_words $at)
    end
end

complete -c venue -f -a '(__venue_next)'
`;
}

function tableFunction(name: string, table: Table): string {
  const cases = table.map(
    ({ keys, lines }) =>
      `        case ${keys.map(quote).join(" ")}\n            printf '%s\\n' ${lines.map(quote).join(" ")}`,
  );
  return `function ${name}\n    switch "$argv[1]"\n${cases.join("\n")}\n    end\nend\n`;
}

function quote(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
