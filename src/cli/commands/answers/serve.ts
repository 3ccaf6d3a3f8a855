import { statSync } from "node:fs";
import { hostname } from "node:os";
import { resolve } from "node:path";
import type { Command } from "commander";
import { localPath, portNumber } from "../../arguments.ts";
import type { CliContext } from "../../cli-context.ts";
import { openInBrowser } from "../../results/open-in-browser.ts";
import { defineShares } from "./shares.ts";

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
  defineShares(command, context);
  command
    .option("--port <port>", "TCP port; 0 selects a free one", portNumber, 8420)
    .option(
      "--host <host>",
      "address to bind; any address other than loopback needs a token and TLS",
      "127.0.0.1",
    )
    .option(
      "--token-file <file>",
      "file that contains the token, which readers enter as the password",
      localPath,
    )
    .option("--no-token", "let every user of this machine read the pages without a link")
    .option("--tls-cert <file>", "TLS certificate, in PEM format", localPath)
    .option("--tls-key <file>", "private key of the certificate, in PEM format", localPath)
    .option("--open", "open the pages in the browser")
    .addHelpText(
      "after",
      "\nThe first line of the output is a link that opens the pages, once and in one\nbrowser. Ctrl-C stops the server.\n" +
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
      // A wildcard address stands for every address of this machine, so a browser can't open it.
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

/** Warns if other users can read the token file, because the token gives access to all pages. */
function warnAboutToken({ logger }: CliContext, file: string | undefined): void {
  if (file !== undefined && (statSync(file).mode & 0o077) !== 0)
    logger.warn(`Other users of this machine can use ${file}. Run chmod go-rwx ${file}`);
}
