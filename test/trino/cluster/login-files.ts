import { execFileSync } from "node:child_process";
import { createSign, generateKeyPairSync, pbkdf2Sync, randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { propertiesText } from "./catalogs.ts";
import { findFreePort } from "./free-port.ts";

export interface Login {
  user: string;
  password: string;
}

/** Files for a coordinator that admits only one user, over https, and for that user. */
export interface LoginFiles {
  url: string;
  /** PEM of the coordinator's self-signed certificate. */
  certificate: string;
  tokenFor(user: string): string;
  config: Readonly<Record<string, string | number | boolean>>;
}

/** Writes them into a folder, which is created. */
export async function writeLoginFiles(
  java: string,
  folder: string,
  { user, password }: Login,
): Promise<LoginFiles> {
  mkdirSync(folder, { recursive: true });
  const at = (name: string) => join(folder, name);
  const store = ["-keystore", at("keys.p12"), "-storepass", "changeit", "-alias", "trino"];
  const keytool = (...args: string[]) =>
    execFileSync(join(java, "bin/keytool"), [...args, ...store], { stdio: "pipe" });
  const subject = ["-dname", "CN=localhost", "-ext", "san=ip:127.0.0.1,dns:localhost"];
  keytool("-genkeypair", "-keyalg", "EC", "-groupname", "secp256r1", "-storetype", "PKCS12", ...subject);
  keytool("-exportcert", "-rfc", "-file", at("certificate.pem"));

  writeFileSync(at("passwords"), `${user}:${hashOf(password)}\n`);
  const authenticator = { "password-authenticator.name": "file", "file.password-file": at("passwords") };
  writeFileSync(at("authenticator.properties"), propertiesText(authenticator));
  const tokens = generateKeyPairSync("rsa", { modulusLength: 2048 });
  writeFileSync(at("tokens.pem"), tokens.publicKey.export({ type: "spki", format: "pem" }));

  const port = await findFreePort();
  return {
    url: `https://127.0.0.1:${port}`,
    certificate: readFileSync(at("certificate.pem"), "utf8"),
    tokenFor: (name) =>
      signToken({ sub: name, exp: Math.floor(Date.now() / 1000) + 3600 }, tokens.privateKey),
    config: {
      "http-server.authentication.type": "PASSWORD,JWT",
      "http-server.authentication.jwt.key-file": at("tokens.pem"),
      "password-authenticator.config-files": at("authenticator.properties"),
      "http-server.https.enabled": true,
      "http-server.https.port": port,
      "http-server.https.keystore.path": at("keys.p12"),
      "http-server.https.keystore.key": "changeit",
    },
  };
}

/** Hash in the format of Trino's password file. */
function hashOf(password: string): string {
  const salt = randomBytes(16);
  const hash = pbkdf2Sync(password, salt, 1_000, 32, "sha1");
  return `1000:${salt.toString("hex")}:${hash.toString("hex")}`;
}

function signToken(claims: object, key: Parameters<ReturnType<typeof createSign>["sign"]>[0]): string {
  const parts = [{ alg: "RS256", typ: "JWT" }, claims].map((part) =>
    Buffer.from(JSON.stringify(part)).toString("base64url"),
  );
  const signature = createSign("RSA-SHA256").update(parts.join(".")).sign(key, "base64url");
  return [...parts, signature].join(".");
}
