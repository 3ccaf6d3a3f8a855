import { type CallToolResult, Client, type ClientOptions } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { program } from "../support/run-venue.ts";

/** A tool's answer: its text and, unless it reports a mistake, its structured content. */
interface ToolAnswer {
  isError: boolean;
  text: string;
  // The client checks it against the output schema.
  // biome-ignore lint/suspicious/noExplicitAny: tests read it as a program without types would
  content: any;
}

export interface ConnectedClient {
  client: Client;
  call(name: string, words?: Record<string, unknown>, options?: { signal: AbortSignal }): Promise<ToolAnswer>;
  stderr(): string;
  close(): Promise<void>;
}

/** Starts `venue mcp` as an assistant does, with the protocol's own client. The caller closes it. */
export async function connectClient({
  environment,
  args = [],
  workingFolder,
  ...options
}: {
  environment: Record<string, string>;
  workingFolder: string;
  args?: readonly string[];
} & ClientOptions): Promise<ConnectedClient> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program, "mcp", ...args],
    env: { PATH: process.env.PATH ?? "", TMPDIR: process.env.TMPDIR ?? "", ...environment },
    cwd: workingFolder,
    stderr: "pipe",
  });
  let stderr = "";
  transport.stderr?.on("data", (chunk: Buffer) => {
    stderr += chunk;
  });
  const client = new Client({ name: "test", version: "1" }, options);
  await client.connect(transport);
  // Once the client knows the tools' schemas, it checks each answer.
  await client.listTools();
  return {
    client,
    async call(name, words = {}, { signal } = { signal: new AbortController().signal }) {
      const result = (await client.callTool({ name, arguments: words }, { signal })) as CallToolResult;
      const [first] = result.content;
      return {
        isError: result.isError === true,
        text: first?.type === "text" ? first.text : "",
        content: result.structuredContent,
      };
    },
    stderr: () => stderr,
    close: () => client.close(),
  };
}

/** Reads all rows, page by page, as objects. */
export async function readAllRows(
  call: ConnectedClient["call"],
  name: string,
  words: Record<string, unknown>,
): Promise<Record<string, unknown>[]> {
  const found: Record<string, unknown>[] = [];
  for (let offset: number | undefined = 0; offset !== undefined; ) {
    const { isError, text, content } = await call(name, { ...words, offset, limit: 1000 });
    if (isError) throw new Error(text);
    for (const row of content.rows)
      found.push(
        Object.fromEntries(
          content.columns.map((column: { name: string }, at: number) => [column.name, row[at]]),
        ),
      );
    offset = content.next_offset;
  }
  return found;
}
