import { type Readable, Transform, type Writable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { isJSONRPCNotification, isJSONRPCRequest, isJSONRPCResponse } from "@modelcontextprotocol/server";

/**
 * Passes on a client's messages, one per line, without null values and empty arguments. Some clients send these
 * for missing values, and the protocol's library would reject such a message or never answer it. Answers other
 * invalid requests with an error, because the library only logs them.
 */
export function acceptMessages(stdin: Readable, stdout: Writable): Readable {
  const decoder = new StringDecoder();
  let rest = "";
  const accept = (line: string): string[] => {
    let messages: unknown[];
    try {
      messages = [JSON.parse(line, omitMissing)].flat();
    } catch {
      return [line];
    }
    return messages.flatMap((message) => {
      const id = findInvalidId(message);
      if (id === undefined) return [JSON.stringify(message)];
      stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, error: invalidRequest })}\n`);
      return [];
    });
  };
  return stdin.pipe(
    new Transform({
      transform(chunk: Buffer, _encoding, done) {
        const lines = (rest + decoder.write(chunk)).split("\n");
        rest = lines.pop() ?? "";
        done(
          null,
          lines
            .flatMap(accept)
            .map((line) => `${line}\n`)
            .join(""),
        );
      },
    }),
  );
}

const invalidRequest = {
  code: -32600,
  message: 'This is not a request. Send "jsonrpc": "2.0", an id, a method, and an object as params.',
};

function omitMissing(key: string, value: unknown): unknown {
  if (value === null || (key === "arguments" && value === "")) return undefined;
  if (key !== "arguments" || typeof value !== "object" || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== ""));
}

/** Returns the id of a message that is not valid, if it has one. */
function findInvalidId(message: unknown): string | number | undefined {
  const isValid = [isJSONRPCRequest, isJSONRPCNotification, isJSONRPCResponse].some((is) => is(message));
  const { id } = (message ?? {}) as { id?: unknown };
  return !isValid && (typeof id === "string" || typeof id === "number") ? id : undefined;
}
