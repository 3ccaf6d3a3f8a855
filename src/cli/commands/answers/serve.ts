import { statSync } from "node:fs";
import { hostname } from "node:os";
import { resolve } from "node:path";
import type { Command } from "commander";
import { localPath, portNumber } from "../../arguments.ts";
import type { CliContext } from "../../cli-context.ts";
import { openInBrowser } from "../../results/print-report.ts";

interface ServeFlags {
  port: number;
  host: string;
  token: boolean;
  tokenFile?: string;
  tlsCert?: string;
  tlsKey?: string;
  open?: boolean;
}

export function define(command: Command, context: CliContext): void {
  command
    .option("--port <port>", "TCP port; 0 takes a free one", portNumber, 8420)
    .option(
      "--host <host>",
      "address to serve at; any address other than this machine's own needs a token and TLS",
      "127.0.0.1",
    )
    .option("--token-file <file>", "file that holds the token that readers give as their password", localPath)
    .option("--no-token", "let every user of this machine read, without a link")
    .option("--tls-cert <file>", "certificate in PEM", localPath)
    .option("--tls-key <file>", "its key in PEM", localPath)
    .option("--open", "show the first page in the browser")
    .addHelpText(
      "after",
      "\nThe first line of the output is a link that opens the pages, once and in one\nbrowser. Ctrl-C stops it.\n" +
        "\nExample:\n  $ venue serve --open\n",
    )
    .action(async ({ open = false, port, host, token, ...files }: ServeFlags) => {
      const { serve } = await import("../../../serve/serve.ts");
      const absolute = (file: string | undefined) =>
        file === undefined ? undefined : resolve(context.io.workingFolder, file);
      const server = await serve({
        settings: context.settings,
        now: () => context.clock().now(),
        logger: context.logger,
        host,
        port,
        tokenFile: absolute(files.tokenFile),
        withoutToken: !token,
        tlsCert: absolute(files.tlsCert),
        tlsKey: absolute(files.tlsKey),
      });
      // A wildcard address means every address of this machine and cannot be opened.
      const address = server.address.replace(/\/\/(0\.0\.0\.0|\[::\])/, `//${hostname()}`);
      context.print(address);
      if (address !== server.address)
        context.logger.info("Other machines must use a host name in the certificate.");
      warnAboutToken(context, absolute(files.tokenFile));
      if (open) openInBrowser(context, address);
      await new Promise<void>((end) => {
        if (context.signal.aborted) end();
        context.signal.addEventListener("abort", () => end(), { once: true });
      });
      await server.close();
      throw context.signal.reason;
    });
}

/** Anyone who can read the token file can read all pages. */
function warnAboutToken({ logger }: CliContext, file: string | undefined): void {
  if (file !== undefined && (statSync(file).mode & 0o077) !== 0)
    logger.warn(`Other users of this machine can use ${file}. Run chmod go-rwx ${file}`);
}
