import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Command } from "commander";
import { ConfigError } from "../../../config/settings.ts";
import { localPath } from "../../arguments.ts";
import type { CliContext } from "../../cli-context.ts";
import { getExitCode } from "../../exit-code.ts";
import { isTerminal, readAll, readHiddenLine } from "../../read-line.ts";

interface LoginFlags {
  codeFile?: string;
  replace: boolean;
}

/** Maximum length of the input, longer than any one-time code or link with a code. */
const maxInputBytes = 16 * 1024;

export function define(command: Command, context: CliContext): void {
  command
    .option(
      "--code-file <file>",
      "file that contains the one-time code, or the link with the code",
      localPath,
    )
    .option("--replace", "overwrite the stored secret of another API client", false)
    .addHelpText(
      "after",
      `
Without --code-file, the code is read from a prompt, or from stdin if there is
no terminal, but never from arguments, which other users can see. The secret can
be fetched only once: it is stored in credentials.json in VENUE_HOME before
anything is printed, and once the code is sent, Ctrl-C waits for the response.
VENUE_CLIENT_ID and VENUE_BASE_URL must be set.

Example:
  $ venue login --client-id your-client --code-file code.txt
`,
    )
    .action(async ({ codeFile, replace }: LoginFlags) => {
      const { login } = await import("../../../login/login.ts");
      const { settings, logger, interruptions } = context;
      const { clientId, path, interruption } = await login({
        settings,
        logger,
        isReplacing: replace,
        getCode: (client) =>
          codeFile === undefined ? promptForCode(context, client) : readCode(context, codeFile),
        holdInterruptions: () => interruptions.hold(),
      });
      if (interruption) context.exitCode = getExitCode(interruption);
      context.printResult(
        { client_id: clientId, file: path },
        `The secret of the API client ${JSON.stringify(clientId)} is stored in ${path}, for this user alone.\n` +
          "Run `venue doctor` to check the setup.",
      );
      for (const name of ["VENUE_CLIENT_SECRET", "VENUE_CLIENT_SECRET_FILE"] as const) {
        if (settings.find(name) !== undefined) {
          logger.warn(`${name} is set and overrides ${path}. Unset it to use the stored secret.`);
        }
      }
    });
}

async function promptForCode({ io, signal }: CliContext, clientId: string): Promise<string> {
  if (!isTerminal(io)) return (await readAll(io.stdin, signal, maxInputBytes)) ?? createTooLongError("stdin");
  const question = `One-time code for the API client ${JSON.stringify(clientId)} (not shown): `;
  const interrupt = () => process.kill(process.pid, "SIGINT");
  return (await readHiddenLine(io, question, { signal, interrupt })) ?? "";
}

function readCode({ io }: CliContext, file: string): Promise<string> {
  const path = resolve(io.workingFolder, file);
  try {
    const text = readFileSync(path, "utf8");
    return Promise.resolve(text.length > maxInputBytes ? createTooLongError(path) : text);
  } catch (cause) {
    if (cause instanceof ConfigError) throw cause;
    throw new ConfigError("--code-file", `${path} can't be read: ${(cause as Error).message}`, { cause });
  }
}

function createTooLongError(origin: string): never {
  throw new ConfigError("--code-file", `${origin} is too long for a one-time code. Nothing was sent.`);
}
