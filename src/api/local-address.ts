import { lookup as systemLookup } from "node:dns";
import { BlockList, isIP, type LookupFunction } from "node:net";
import { promisify } from "node:util";

/** This machine, its own wire, and the addresses at which clouds serve secrets to their machines. */
const local = new BlockList();
local.addSubnet("0.0.0.0", 8);
local.addSubnet("127.0.0.0", 8);
local.addSubnet("169.254.0.0", 16);
local.addAddress("::", "ipv6");
local.addAddress("::1", "ipv6");
local.addSubnet("fe80::", 10, "ipv6");
// AWS and Google Cloud by IPv6, Azure, Alibaba Cloud, Oracle Cloud.
local.addAddress("fd00:ec2::254", "ipv6");
local.addAddress("fd20:ce::254", "ipv6");
local.addAddress("168.63.129.16");
local.addAddress("100.100.100.200");
local.addAddress("192.0.0.192");

/** Returns true for a URL that leads to a local address, directly or through a name that resolves to one. */
export async function isLocal(url: URL): Promise<boolean> {
  if (hasLocalAddress(url)) return true;
  // The connection reports an unknown name.
  const found = await promisify(systemLookup)(url.hostname, { all: true }).catch(() => []);
  return found.some(({ address }) => isLocalAddress(address));
}

/** Returns true for a URL that contains a local address instead of a name. */
export function hasLocalAddress({ hostname }: URL): boolean {
  const host = hostname.replace(/^\[|\]$/g, "");
  return isIP(host) !== 0 && isLocalAddress(host);
}

function isLocalAddress(address: string): boolean {
  return local.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
}

/** A name resolved to a local address as a connection was opened. */
export class LocalAddressError extends Error {
  override readonly name = "LocalAddressError";
  readonly code = "LOCAL_ADDRESS";
}

/**
 * Resolves names for connections, which use exactly the addresses that were checked here.
 * @param allowsLocal is asked when a name resolves to a local address
 */
export function guardLookup(
  allowsLocal: () => Promise<boolean>,
  lookup: LookupFunction = systemLookup,
): LookupFunction {
  return (hostname, options, done) =>
    lookup(hostname, options, (error, found, family) => {
      const addresses = typeof found === "string" ? [found] : (found ?? []).map(({ address }) => address);
      if (error || !addresses.some(isLocalAddress)) return done(error, found, family);
      allowsLocal().then(
        (isAllowed) =>
          isAllowed
            ? done(null, found, family)
            : done(new LocalAddressError(`${hostname} resolves to a local address`), "", 0),
        (cause) => done(cause, "", 0),
      );
    });
}
