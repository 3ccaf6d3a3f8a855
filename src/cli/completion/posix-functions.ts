import type { Table, Tables } from "./tables.ts";

/**
 * What bash and zsh share: functions that print what may come next, one candidate a line, with a colon before its
 * description; `@file` stands for file names, `@any` for what nobody can know.
 */
export function posixFunctions({ commands, words, flags, values }: Tables): string {
  return `__venue_is_command() {
  case "$1" in
    ${commands.map(quote).join("|")}) return 0 ;;
  esac
  return 1
}

${tableFunction("__venue_words", words)}
${tableFunction("__venue_flags", flags)}
${tableFunction("__venue_own_values", values)}
# Of a command's own flag, or of a setting, which every command takes.
__venue_values() {
  local line
  line=$(__venue_own_values "$1:$2")
  if [ -n "$line" ]; then printf '%s\\n' "$line"; else __venue_own_values "settings:$2"; fi
}

# The arguments are the words that stand there, the one to complete last.
__venue_next() {
  local at='' option='' word='' line=''
  while [ $# -gt 1 ]; do
    word=$1
    shift
    if [ -n "$option" ]; then
      [ "$word" = '=' ] || option=''
      continue
    fi
    case $word in
      --*=*) ;;
      -*) [ -z "$(__venue_values "$at" "$word")" ] || option=$word ;;
      *) ! __venue_is_command "\${at:+$at }$word" || at="\${at:+$at }$word" ;;
    esac
  done
  if [ -n "$option" ]; then
    __venue_values "$at" "$option"
    return
  fi
  case $1 in
    --*=*)
      option=\${1%%=*}
      __venue_values "$at" "$option" | while IFS= read -r line; do
        case $line in
          @*) ;;
          *) printf '%s\\n' "$option=$line" ;;
        esac
      done
      ;;
    -*)
      case "
$(__venue_flags "$at")" in
        *"
$1"*) __venue_flags "$at" ;;
        *) __venue_flags settings ;;
      esac
      ;;
    *) __venue_words "$at" ;;
  esac
}
`;
}

function tableFunction(name: string, table: Table): string {
  const cases = table.map(
    ({ keys, lines }) =>
      `    ${keys.map(quote).join("|")})\n      printf '%s\\n' ${lines.map(quote).join(" ")} ;;`,
  );
  return `${name}() {\n  case "$1" in\n${cases.join("\n")}\n  esac\n}\n`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
