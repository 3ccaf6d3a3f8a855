import type { Readable, Writable } from "node:stream";
import { McpServer } from "@modelcontextprotocol/server";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import { softwareVersion } from "../util/files/package-files.ts";
import { acceptMessages } from "./accept-messages.ts";
import type { Host } from "./define-tool.ts";
import { createReader, type ReaderOptions } from "./read-version.ts";
import { dictionaryTool } from "./tools/dictionary.ts";
import { explainCellTool } from "./tools/explain-cell.ts";
import { listReportsTool } from "./tools/list-reports.ts";
import { overviewTool } from "./tools/overview.ts";
import { queryTool } from "./tools/query.ts";
import { reportTool } from "./tools/report.ts";

export interface ServeMcpOptions extends ReaderOptions, Host {
  /** Like `stdout`, carries only protocol messages. */
  stdin: Readable;
  stdout: Writable;
  signal: AbortSignal;
}

/** All tools, in the order in which clients list them. They only read published data. */
const tools = [overviewTool, listReportsTool, reportTool, explainCellTool, queryTool, dictionaryTool];

const instructions = `Answers questions about venue media players: what played, whether campaigns ran, which devices were up.
Begin with overview or list_reports. Prefer report to query: its figures have definitions, and it states what is not known.
Dates are local and inclusive; without dates, a report covers the last 28 days with complete data.
Names are not unique: if one is ambiguous, the error lists the candidates with their ids.
When you cite a figure, also give the age of the data, its coverage if it is not complete, and the page.`;

/** Serves the Model Context Protocol until the client closes stdin, or `signal` is aborted. */
export async function serveMcp({ stdin, stdout, signal, ...options }: ServeMcpOptions): Promise<void> {
  const { logger } = options;
  const read = createReader(options);
  const connection = serveStdio(
    () => {
      const server = new McpServer(
        { name: "venue-analytics", title: "venue-analytics", version: softwareVersion() },
        { instructions },
      );
      for (const register of tools) register(server, { ...options, read });
      return server;
    },
    {
      transport: new StdioServerTransport(acceptMessages(stdin, stdout), stdout),
      onerror({ message }) {
        logger.warn(
          "A message could not be read or sent, and was skipped. With --debug, the log has the reason.",
        );
        logger.debug(message);
      },
    },
  );
  await waitForEnd(stdin, signal);
  // Also stops answers in progress.
  await connection.close();
}

function waitForEnd(stdin: Readable, signal: AbortSignal): Promise<void> {
  return new Promise((end) => {
    for (const event of ["end", "close", "error"]) stdin.once(event, () => end());
    if (signal.aborted || stdin.readableEnded || stdin.destroyed) end();
    signal.addEventListener("abort", () => end(), { once: true });
  });
}
