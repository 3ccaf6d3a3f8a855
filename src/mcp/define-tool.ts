import type { McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { Settings } from "../config/settings.ts";
import type { CustomReport } from "../report/custom/custom-report.ts";
import { ReportOptionError, type Wording } from "../report/options/option-error.ts";
import type { PublishedMart } from "../report/published/published-mart.ts";
import type { Logger } from "../util/logger.ts";
import { VenueError } from "../util/venue-error.ts";
import type { ReadVersion } from "./read-version.ts";

/** Data from which a tool answers. */
export interface ToolContext {
  mart: PublishedMart;
  now: Date;
  settings: Settings;
}

/** An answer in two forms: structured content that matches the tool's output schema, and text. */
export interface Answer<Content> {
  content: Content;
  text: string;
}

interface ToolDefinition<Input extends z.ZodRawShape, Output extends z.ZodRawShape> {
  name: string;
  title: string;
  /** Explains to the assistant what the tool answers and when to use it. */
  description: string;
  input: Input;
  output: Output;
  /** Returns the custom report that the answer reads, if any. */
  findCustom?(given: Given<Input>, settings: Settings): CustomReport | undefined;
  answer(given: Given<Input>, context: ToolContext): Promise<Answer<z.infer<z.ZodObject<Output>>>>;
}

type Given<Input extends z.ZodRawShape> = z.infer<z.ZodObject<Input>>;

/** Server functions shared by all tools. */
export interface Host {
  settings: Settings;
  now: () => Date;
  logger: Logger;
  /** Converts disk and memory errors into errors that include the next step; returns other errors unchanged. */
  explainFailure(error: unknown): unknown;
}

/** Returns a function that adds the tool to a server. The answer to an invalid call explains how to correct it. */
export function defineTool<Input extends z.ZodRawShape, Output extends z.ZodRawShape>({
  name,
  title,
  description,
  input,
  output,
  findCustom,
  answer,
}: ToolDefinition<Input, Output>): (server: McpServer, host: Host & { read: ReadVersion }) => void {
  // Otherwise a misspelled argument would be ignored, and the tool would answer a different question.
  const inputSchema = z.strictObject({ ...input, ...version });
  const outputSchema = z.object(output);
  const annotations = { readOnlyHint: true, openWorldHint: false };
  return (server, { read, ...host }) => {
    const { settings, now } = host;
    server.registerTool(
      name,
      { title, description, inputSchema, outputSchema, annotations },
      async (words, { mcpReq }) => {
        const { as_of: asOf, ...rest } = words as { as_of?: string };
        const given = rest as Given<Input>;
        try {
          const custom = findCustom?.(given, settings);
          const { content, text } = await read({ asOf, signal: mcpReq.signal, custom }, (mart) =>
            answer(given, { mart, now: now(), settings }),
          );
          return {
            content: [{ type: "text" as const, text }],
            structuredContent: content as Record<string, unknown>,
          };
        } catch (error) {
          // The client has cancelled the request or disconnected, so nobody reads the answer.
          const text = mcpReq.signal.aborted ? "Cancelled." : explain(error, host);
          return { content: [{ type: "text" as const, text }], isError: true };
        }
      },
    );
  };
}

const version = {
  as_of: z
    .string()
    .optional()
    .describe("a published version, such as v000007, if it still exists (default: the current one)"),
};

/** Converts option names to the parameter names of a tool. */
const toolWording: Wording = {
  option: (option) => toolWords[option] ?? option.replace(/^--/, ""),
  date: (date) => date,
  listing: ({ report, by }) =>
    ` To list them, call report with report "${report}"${by === undefined ? "" : ` and by "${by}"`}.`,
};

const toolWords: Readonly<Record<string, string>> = {
  "venue report": "report",
  "--explain": "explain_cell",
};

function explain(thrown: unknown, { logger, explainFailure }: Host): string {
  const error = explainFailure(thrown);
  if (error instanceof ReportOptionError) return error.inWords(toolWording);
  if (error instanceof VenueError) return error.message;
  logger.warn(error instanceof Error ? (error.stack ?? error.message) : String(error));
  return "This answer could not be created. See the output of venue mcp on stderr for the reason.";
}
