import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { createServer, type TLSSocket } from "node:tls";
import { expect, it, onTestFinished } from "vitest";
import { coreFigures } from "../pipeline/core-figures.ts";
import { hasProgram } from "../support/has-program.ts";
import { isAll } from "../support/long-suite.ts";
import { startVenue } from "../support/run-venue.ts";
import { type Setup, setUp, trueFigures } from "../support/service.ts";
import { createTempFolder } from "../support/temp-folder.ts";
import { world } from "./meet-faults.ts";

interface Certificate {
  key: Buffer;
  cert: Buffer;
}

it.runIf(isAll && hasProgram("openssl"))(
  "a certificate that expires during a run is reported, and the next run collects all",
  async () => {
    const setup = await setUp({ ...world, days: 2 });
    const certificates = certify(createTempFolder());
    const service = await serveOverTls(setup, certificates.sound);
    setup.environment.NODE_EXTRA_CA_CERTS = certificates.authority;
    const walk = ["sync", "history", "--mode", "walk", "--max-minutes", "1"];
    service.expireAfter(6, certificates.expired);
    const failed = await startVenue(walk, setup).finished;
    expect(failed.code, failed.stderr).toBe(3);
    expect(failed.stderr).toMatch(/no trusted TLS connection \(CERT_HAS_EXPIRED\)/);
    expect(failed.stderr).not.toMatch(/\n {4}at |this is a bug/);
    const some = await coreFigures(setup);
    expect(trueFigures(setup.emulator.world, setup.emulator.now())).toMatchObject(some);

    service.present(certificates.sound);
    const again = await startVenue(walk, setup).finished;
    expect(again.code, again.stderr).toBe(0);
    expect(await coreFigures(setup)).toEqual(trueFigures(setup.emulator.world, setup.emulator.now()));
  },
);

/** A TLS proxy in front of the emulated service. */
async function serveOverTls({ emulator, environment }: Setup, sound: Certificate) {
  const { port, pathname } = new URL(emulator.baseUrl);
  const open = new Set<TLSSocket>();
  let expiry: { after: number; certificate: Certificate } | undefined;
  const present = (certificate: Certificate) => {
    server.setSecureContext(certificate);
    for (const socket of open) socket.destroy();
  };
  const server = createServer(sound, (socket) => {
    open.add(socket);
    const inside = connect(Number(port), "127.0.0.1");
    for (const side of [socket, inside]) {
      side.on("error", () => undefined);
      side.on("close", () => {
        socket.destroy();
        inside.destroy();
        open.delete(socket);
      });
    }
    socket.on("data", () => {
      if (!expiry || emulator.requests.length < expiry.after) return;
      const { certificate } = expiry;
      expiry = undefined;
      present(certificate);
    });
    socket.pipe(inside).pipe(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    for (const socket of open) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  environment.VENUE_BASE_URL = `https://127.0.0.1:${address.port}${pathname}`;
  return {
    present,
    /** Switches the certificate after this many requests. */
    expireAfter(after: number, certificate: Certificate): void {
      expiry = { after, certificate };
    },
  };
}

/** An authority, and two certificates of it for 127.0.0.1: one valid, one that expired in 2020. */
function certify(folder: string): { authority: string; sound: Certificate; expired: Certificate } {
  const openssl = (...words: string[]) => execFileSync("openssl", words, { cwd: folder, stdio: "pipe" });
  writeFileSync(join(folder, "openssl.cnf"), configuration);
  writeFileSync(join(folder, "index.txt"), "");
  mkdirSync(join(folder, "issued"));
  const request = (...words: string[]) =>
    openssl(
      "req",
      "-config",
      "openssl.cnf",
      "-newkey",
      "ec",
      "-pkeyopt",
      "ec_paramgen_curve:P-256",
      "-nodes",
      ...words,
    );
  request(
    "-x509",
    "-days",
    "36500",
    "-subj",
    "/CN=authority",
    "-keyout",
    "authority.key",
    "-out",
    "authority.pem",
  );
  request("-subj", "/CN=127.0.0.1", "-keyout", "service.key", "-out", "service.csr");
  const issue = (from: string, to: string): Certificate => {
    const out = `${from}.pem`;
    openssl(
      "ca",
      "-batch",
      "-config",
      "openssl.cnf",
      "-in",
      "service.csr",
      "-startdate",
      from,
      "-enddate",
      to,
      "-out",
      out,
    );
    return { key: readFileSync(join(folder, "service.key")), cert: readFileSync(join(folder, out)) };
  };
  return {
    authority: join(folder, "authority.pem"),
    sound: issue("20200101000000Z", "21000101000000Z"),
    expired: issue("20200102000000Z", "20200103000000Z"),
  };
}

const configuration = `
[ca]
default_ca = authority
[authority]
certificate = authority.pem
private_key = authority.key
database = index.txt
new_certs_dir = issued
rand_serial = yes
unique_subject = no
default_md = sha256
policy = any
x509_extensions = service
[any]
commonName = supplied
[service]
subjectAltName = IP:127.0.0.1
[req]
distinguished_name = name
x509_extensions = of_authority
[name]
[of_authority]
basicConstraints = critical, CA:true
`;
