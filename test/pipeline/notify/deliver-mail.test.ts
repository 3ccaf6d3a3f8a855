import { execFile, execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { SMTPServerOptions } from "smtp-server";
import { expect, it } from "vitest";
import { Settings } from "../../../src/config/settings.ts";
import { openMailer } from "../../../src/pipeline/notify/delivery/send-mail.ts";
import { hasProgram } from "../../support/has-program.ts";
import { stableText } from "../../support/stable-text.ts";
import { createTempFolder } from "../../support/temp-folder.ts";
import { type MailServer, refusal, startMailServer } from "./mail-server.ts";
import { type Delivery, digest, password, setUpDelivery } from "./set-up-delivery.ts";

const ops = "mailto:ops@example.com";
const boss = "mailto:boss@example.com";

const tls = new URL("../../fixtures/tls/", import.meta.url);
const selfSigned = {
  key: readFileSync(new URL("key.pem", tls)),
  cert: readFileSync(new URL("cert.pem", tls)),
};

function deliveryTo({ port }: { port: number }): Delivery {
  const delivery = setUpDelivery();
  delivery.environment.VENUE_SMTP_URL = `smtp://127.0.0.1:${port}`;
  return delivery;
}

it("sends each mail to one address, with a fixed Message-ID and its date of creation", async () => {
  const server = await startMailServer();
  const delivery = deliveryTo(server);
  delivery.add("id-1", ops);
  delivery.add("id-2", "mailto:boss@bücher.example");
  delivery.wait(1);
  expect(await delivery.deliver()).toEqual({ sent: 2, postponed: 0, undelivered: 0, problems: [] });
  expect(await delivery.deliver()).toEqual({ sent: 0, postponed: 0, undelivered: 0, problems: [] });
  expect(delivery.contents()).toEqual([null, null]);
  expect(server.received.map(({ from, to, messageId }) => [from, to, messageId])).toEqual([
    ["venue@example.com", ["ops@example.com"], "<id-1@example.com>"],
    ["venue@example.com", ["boss@bücher.example"], "<id-2@example.com>"],
  ]);
  const [header = ""] = server.received[0]?.source.split("\r\n\r\n") ?? [];
  expect(header.replace(/boundary=.*/, "boundary")).toMatchSnapshot();
  expect(delivery.log()).not.toContain("@");
});

it("sends attachments byte for byte", async () => {
  const server = await startMailServer();
  const bytes = Buffer.from(Array.from({ length: 1024 }, (_, index) => index % 256));
  const lines = Buffer.from("\ufeffa;b\n1;2\r\n3;4\r.\r\n..\nFrom x\n");
  const environment = {
    VENUE_SMTP_URL: `smtp://127.0.0.1:${server.port}`,
    VENUE_MAIL_FROM: "venue@example.com",
  };
  const send = await openMailer(new Settings({ flags: {}, environment, workingFolder: "/" }));
  const attachments = [
    { rule: "days", filename: "days.csv", contentType: "text/csv", content: lines },
    { rule: "all", filename: "all.xlsx", contentType: "application/octet-stream", content: bytes },
  ];
  const mail = { id: "id-1", to: "ops@example.com", createdAt: new Date(), digest, attachments };
  expect(await send(mail)).toBeUndefined();
  const source = server.received[0]?.source ?? "";
  const parts = [...source.matchAll(/Disposition: attachment[\s\S]*?\r\n\r\n([\s\S]*?)\r\n--/g)];
  expect(parts.map(([, text = ""]) => Buffer.from(text, "base64"))).toEqual([lines, bytes]);
});

it("adds no header or recipient for names with line breaks", async () => {
  const server = await startMailServer();
  const delivery = deliveryTo(server);
  const headline = "Zone\r\nBcc: eve@example.com\r\n\r\nbody\u2028x";
  delivery.add("id-1", ops, { ...digest, headline });
  delivery.add("id-2", "mailto:ops@example.com\r\nRCPT TO:<eve@example.com>");
  delivery.add("id-3", "mailto:ops@example.com,eve@example.com");
  expect(await delivery.deliver()).toMatchObject({ sent: 1, undelivered: 2 });
  const [mail] = server.received;
  expect(mail?.to).toEqual(["ops@example.com"]);
  expect(mail?.source).not.toMatch(/^Bcc/im);
  expect(mail?.source).toContain("Subject: Zone Bcc: eve@example.com");
});

it("retries a greylisted mail with the same Message-ID", async () => {
  let calls = 0;
  const server = await startMailServer({
    onRcptTo: (_address, _session, done) => done(calls++ === 0 ? refusal(451, "greylisted") : undefined),
  });
  const delivery = deliveryTo(server);
  delivery.add("id-1", ops);
  expect(await delivery.deliver()).toMatchObject({ sent: 0, postponed: 1 });
  expect(delivery.outbox.countWaiting()).toBe(1);
  expect(await delivery.deliver()).toMatchObject({ sent: 1, postponed: 0 });
  expect(server.received.map(({ messageId }) => messageId)).toEqual(["<id-1@example.com>"]);
});

const stages = ["onMailFrom", "onRcptTo", "onData"] as const;

/** A server that rejects one recipient's mail at a stage, or all mail if the stage precedes the recipient. */
function startRefusing(stage: (typeof stages)[number], code: number): Promise<MailServer> {
  const isRefused = (address: string) => stage === "onMailFrom" || address === "ops@example.com";
  const options: SMTPServerOptions =
    stage === "onData"
      ? {}
      : {
          [stage]: ({ address }: { address: string }, _: unknown, done: (error?: Error) => void) =>
            done(isRefused(address) ? refusal(code) : undefined),
        };
  return startMailServer(options, ({ to }) =>
    stage === "onData" && isRefused(to[0] ?? "") ? refusal(code) : undefined,
  );
}

it.each([
  ["onMailFrom", 421],
  ["onMailFrom", 530],
  ["onMailFrom", 550],
  ["onRcptTo", 452],
  ["onRcptTo", 550],
  ["onData", 452],
  ["onData", 554],
] as const)(
  "a rejection at %s with %i postpones the mail, or drops it if it is permanent",
  async (stage, code) => {
    const server = await startRefusing(stage, code);
    const delivery = deliveryTo(server);
    delivery.add("id-1", ops);
    delivery.add("id-2", boss);
    const result = await delivery.deliver();
    expect(stableText(result.problems.join("\n"))).toMatchSnapshot();
    const refused = stage === "onMailFrom" ? 2 : 1;
    const isPermanent = code >= 550 && stage !== "onMailFrom";
    expect(result).toMatchObject({
      sent: 2 - refused,
      postponed: isPermanent ? 0 : refused,
      undelivered: isPermanent ? refused : 0,
    });
    // If the refusal is not about a single mail, the server is contacted once.
    expect(server.connections()).toBe(stage === "onMailFrom" ? 1 : 2);
    expect(server.received).toHaveLength(2 - refused);
  },
);

it.each<[string, SMTPServerOptions]>([
  ["refuses the connection", { onConnect: (_session, done) => done(refusal(554, "go away")) }],
  ["wants a login", { disabledCommands: ["STARTTLS"], allowInsecureAuth: true }],
  ["does not offer the login", {}],
  ["offers no trusted TLS", { ...selfSigned, secure: true, disabledCommands: [] }],
])("a server that %s is tried once for all mails, which stay in the outbox", async (what, options) => {
  const server = await startMailServer({
    ...options,
    onAuth: ({ password: given }, _session, done) =>
      given === "right" ? done(null, { user: "me" }) : done(refusal(535, `wrong: ${given}`)),
  });
  const delivery = deliveryTo(server);
  const protocol = options.secure ? "smtps" : "smtp";
  delivery.environment.VENUE_SMTP_URL = `${protocol}://me%40x@localhost:${server.port}`;
  delivery.environment.VENUE_SMTP_PASSWORD_FILE = "password";
  for (const id of ["id-1", "id-2", "id-3"]) delivery.add(id, ops);
  const { problems, ...counts } = await delivery.deliver();
  expect(counts, what).toEqual({ sent: 0, postponed: 3, undelivered: 0 });
  expect(stableText(problems.join("\n"))).toMatchSnapshot();
  expect(problems.join() + delivery.log()).not.toContain(password);
  expect(server.connections()).toBeLessThanOrEqual(1);
  expect(delivery.outbox.countWaiting()).toBe(3);
});

it.each([
  ["no STARTTLS", ["STARTTLS"]],
  ["a certificate that is not trusted", []],
])("nothing is sent to another host with %s", async (_, disabled) => {
  const server = await startMailServer({ ...selfSigned, disabledCommands: ["AUTH", ...disabled] });
  const delivery = deliveryTo(server);
  // Linux routes this address to loopback.
  delivery.environment.VENUE_SMTP_URL = `smtp://0.0.0.0:${server.port}`;
  delivery.add("id-1", ops);
  const { problems, postponed } = await delivery.deliver();
  expect([server.received, postponed]).toEqual([[], 1]);
  expect(stableText(problems.join())).toMatchSnapshot();
});

it("a server on this machine is used without TLS, whatever its certificate", async () => {
  const server = await startMailServer({ ...selfSigned, disabledCommands: ["AUTH"] });
  const delivery = deliveryTo(server);
  delivery.add("id-1", ops);
  expect(await delivery.deliver()).toMatchObject({ sent: 1 });
});

it.runIf(hasProgram("openssl"))(
  "logs in over TLS and STARTTLS if the certificate is trusted and names the host",
  async () => {
    const folder = createTempFolder();
    const words =
      "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -keyout key.pem -out cert.pem";
    const names = ["-subj", "/CN=mail", "-addext", "subjectAltName=IP:0.0.0.0"];
    execFileSync("openssl", [...words.split(" "), ...names], { cwd: folder, stdio: "pipe" });
    writeFileSync(join(folder, "password"), password);
    const trusted = {
      key: readFileSync(join(folder, "key.pem")),
      cert: readFileSync(join(folder, "cert.pem")),
    };
    const onAuth: SMTPServerOptions["onAuth"] = ({ password: given }, _session, done) =>
      done(null, { user: given === password && "me" });
    const send = async (url: string) => {
      const environment = {
        ...{ PATH: process.env.PATH, VENUE_SMTP_URL: url, VENUE_MAIL_FROM: "venue@example.com" },
        ...{ VENUE_SMTP_PASSWORD_FILE: "password", NODE_EXTRA_CA_CERTS: join(folder, "cert.pem") },
      };
      const child = fileURLToPath(new URL("send-mail.child.mjs", import.meta.url));
      return (await promisify(execFile)(process.execPath, [child], { cwd: folder, env: environment })).stdout;
    };
    const upgrading = await startMailServer({ ...trusted, disabledCommands: [], onAuth });
    expect(await send(`smtp://me@0.0.0.0:${upgrading.port}`)).toBe("sent");
    const encrypted = await startMailServer({ ...trusted, secure: true, disabledCommands: [], onAuth });
    expect(await send(`smtps://me@0.0.0.0:${encrypted.port}`)).toBe("sent");
    expect(await send(`smtps://me@localhost:${encrypted.port}`)).toMatch(/ERR_TLS_CERT_ALTNAME_INVALID/);
    expect([upgrading.received.length, encrypted.received.length]).toEqual([1, 1]);
  },
);

it("a lost answer leads to a second mail with the same Message-ID", async () => {
  let isCut = true;
  const server: MailServer = await startMailServer({}, (mail, socket) => {
    if (!isCut) return undefined;
    isCut = false;
    server.received.push(mail);
    socket.destroy();
    return refusal(451);
  });
  const delivery = deliveryTo(server);
  delivery.add("id-1", ops);
  delivery.add("id-2", boss);
  const { postponed, problems } = await delivery.deliver();
  expect([postponed, problems]).toEqual([2, [expect.stringContaining(" broke the connection.")]]);
  expect(await delivery.deliver()).toMatchObject({ sent: 2, postponed: 0 });
  expect(server.received.map(({ messageId }) => messageId)).toEqual([
    "<id-1@example.com>",
    "<id-1@example.com>",
    "<id-2@example.com>",
  ]);
});

it("a server that never acknowledges delays the run once, and an abort ends the wait", async () => {
  const server = await startMailServer({}, () => new Promise(() => {}));
  const delivery = deliveryTo(server);
  delivery.add("id-1", ops);
  delivery.add("id-2", boss);
  expect(await delivery.deliver({ timeoutMs: 300 })).toMatchObject({ sent: 0, postponed: 2 });
  expect(server.connections()).toBe(1);
  delivery.wait(1);
  const stop = new AbortController();
  const delivering = delivery.deliver({ signal: stop.signal });
  await expect.poll(() => server.connections()).toBe(2);
  stop.abort(new Error("stopped"));
  await expect(delivering).rejects.toThrow("stopped");
  // The next run tries both again.
  expect(delivery.outbox.listWaiting()).toHaveLength(2);
});

it.each<[string, NodeJS.ProcessEnv]>([
  ["no server", {}],
  ["no sender", { VENUE_SMTP_URL: "smtp://127.0.0.1:9", VENUE_MAIL_FROM: "" }],
  ["no password", { VENUE_SMTP_URL: "smtp://me@127.0.0.1:9" }],
  ["no user", { VENUE_SMTP_URL: "smtp://127.0.0.1:9", VENUE_SMTP_PASSWORD_FILE: "password" }],
  ["a server that is down", { VENUE_SMTP_URL: "smtp://127.0.0.1:9" }],
])("with %s, mail waits", async (_, settings) => {
  const delivery = setUpDelivery();
  Object.assign(delivery.environment, settings);
  delivery.add("id-1", ops);
  const { postponed, problems } = await delivery.deliver();
  expect(postponed).toBe(1);
  expect(stableText(problems.join("\n"))).toMatchSnapshot();
});
