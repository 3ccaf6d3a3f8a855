import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import type { Digest } from "../../../src/pipeline/notify/compose-digest.ts";

type Body = Digest & { id: string; created_at: string };

export interface Receiver {
  /** The URL of a webhook. */
  url(name: string): string;
  /** Everything received so far, even if the answer was lost. */
  received: { to: string; key: string; body: Body }[];
  /** Leaves the next message without an answer. @returns after it was received */
  holdNext(): Promise<void>;
  /** Answers again. */
  release(): void;
}

/**
 * A real HTTP receiver.
 * @param answer a status, or `cut` before the answer, for each attempt to deliver the message with this id.
 *   @default 200
 */
export async function receive(answer: (id: string) => number | "cut" = () => 200): Promise<Receiver> {
  const received: Receiver["received"] = [];
  let hold: (() => void) | undefined;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("error", () => {});
    request.on("end", () => {
      const key = String(request.headers["idempotency-key"]);
      const result = hold ? "cut" : answer(key);
      if (typeof result === "number" && result >= 300) {
        response.writeHead(result).end();
        return;
      }
      received.push({
        to: (request.url ?? "").slice(1),
        key,
        body: JSON.parse(Buffer.concat(chunks).toString()) as Body,
      });
      if (hold) {
        hold();
        hold = undefined;
      } else if (result === "cut") request.socket.destroy();
      else response.writeHead(result).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  const holdNext = () =>
    new Promise<void>((resolve) => {
      hold = resolve;
    });
  const release = () => {
    hold = undefined;
  };
  return { url: (name) => `http://127.0.0.1:${port}/${name}`, received, holdNext, release };
}
