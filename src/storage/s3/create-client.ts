import { Agent as PlainAgent } from "node:http";
import { Agent as TlsAgent } from "node:https";
import { Duplex } from "node:stream";
import { connect as tlsConnect } from "node:tls";
import { S3Client } from "@aws-sdk/client-s3";
import { isProxySet, openTunnel } from "../../util/proxy-tunnel.ts";

/** Maximum attempts per request, with growing pauses, after network and store errors. */
const maxAttempts = 5;
const connectMs = 10_000;
/** The S3 client's defaults. */
const pool = { keepAlive: true, maxSockets: 50 };
const defaultRegion = "us-east-1";

/**
 * Creates a client that finds its credentials, region and endpoint in the standard places. With a custom endpoint,
 * the region is optional, and the bucket is part of the path, because few such stores have a host name per bucket.
 */
export function createClient(): S3Client {
  const { AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL, AWS_REGION, AWS_ACCESS_KEY_ID, AWS_PROFILE } = process.env;
  const keysAreInProfile = Boolean(AWS_PROFILE) || !AWS_ACCESS_KEY_ID;
  const endpoint = AWS_ENDPOINT_URL_S3 || AWS_ENDPOINT_URL;
  // The client's version is pinned, so its warnings about later versions are of no use to users.
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = "true";
  return new S3Client({
    ...(endpoint && { endpoint, forcePathStyle: true }),
    ...(endpoint && !AWS_REGION && { region: keysAreInProfile ? findProfileRegion : defaultRegion }),
    followRegionRedirects: true,
    maxAttempts,
    // Requests already include a SHA-256. Some stores refuse the checksums that the client would add.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    requestHandler: {
      connectionTimeout: connectMs,
      socketTimeout: 60_000,
      requestTimeout: 300_000,
      throwOnRequestTimeout: true,
      ...(isProxySet() && {
        httpAgent: tunnel(new PlainAgent(pool), "http:"),
        httpsAgent: tunnel(new TlsAgent(pool), "https:"),
      }),
    },
  });
}

async function findProfileRegion(): Promise<string> {
  return await new S3Client().config.region().catch(() => defaultRegion);
}

/** Lets an agent connect through the machine's proxy. */
function tunnel<Agent extends PlainAgent>(agent: Agent, protocol: "http:" | "https:"): Agent {
  const connect = agent.createConnection.bind(agent);
  agent.createConnection = (options, done) => {
    const host = options.host?.includes(":") ? `[${options.host}]` : options.host;
    const opened = openTunnel(new URL(`${protocol}//${host}:${options.port}`), connectMs);
    if (!opened) return connect(options, done);
    opened.then(
      (socket) => done?.(null, protocol === "http:" ? socket : tlsConnect({ ...options, socket } as object)),
      (error) => done?.(error, new Duplex()),
    );
    return undefined;
  };
  return agent;
}
