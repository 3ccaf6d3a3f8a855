import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { readMultipartForm } from "../../../../src/emulator/server/requests/multipart-form.ts";

/** Sends a body in pieces to a real server, and reads it there. */
async function readForm(body: string, contentType: string, pieceBytes: number): Promise<unknown> {
  const server = createServer((incoming: IncomingMessage, outgoing) => {
    readMultipartForm(incoming).then(
      (form) => outgoing.end(JSON.stringify(form)),
      (error: Error) => outgoing.end(JSON.stringify(error.message)),
    );
  });
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const bytes = Buffer.from(body);
  async function* pieces() {
    for (let from = 0; from < bytes.length; from += pieceBytes) {
      yield bytes.subarray(from, from + pieceBytes);
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  const answer = await fetch(`http://127.0.0.1:${port}`, {
    method: "POST",
    headers: { "Content-Type": contentType, Connection: "close" },
    body: ReadableStream.from(pieces()),
    duplex: "half",
  } as RequestInit);
  return answer.json();
}

const type = "multipart/form-data; boundary=b-1";
const part = (name: string, content: string) =>
  `--b-1\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${content}\r\n`;

it.each([1, 2, 7, 1000])(
  "in pieces of %i bytes: fields, also empty ones and ones that look like the end",
  async (pieceBytes) => {
    const body = `preamble\r\n${part("a", "1")}${part("ü", "")}${part("c", "\r\n--b-\r\n--b")}--b-1--\r\nepilogue`;
    expect(await readForm(body, type, pieceBytes)).toEqual({ a: "1", ü: "", c: "\r\n--b-\r\n--b" });
  },
);

it("a quoted boundary, and a file without a type", async () => {
  const body = `--b-1\r\ncontent-disposition: form-data; name="f"; filename="x%22y"\r\n\r\nabc\r\n--b-1--`;
  expect(await readForm(body, 'multipart/form-data; boundary="b-1"', 9)).toEqual({
    f: {
      fileName: 'x"y',
      contentType: "application/octet-stream",
      sizeBytes: 3,
      sha256: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    },
  });
});

it.each([
  ["no boundary", "x", "multipart/form-data", "multipart/form-data with a boundary"],
  ["another type", "{}", "application/json", "multipart/form-data with a boundary"],
  ["an end in the middle", part("a", "1"), type, "ends in the middle"],
  ["nothing", "-", type, "ends in the middle"],
  ["a part without a name", "--b-1\r\nX: y\r\n\r\n1\r\n--b-1--", type, "no name"],
  ["a field twice", `${part("a", "1")}${part("a", "2")}--b-1--`, type, "a is there twice"],
  ["a field that is too long", `${part("a", "x".repeat(70_000))}--b-1--`, type, "a is too long"],
])("%s is refused", async (_label, body, contentType, message) => {
  expect(await readForm(body, contentType, 10_000)).toContain(message);
});
