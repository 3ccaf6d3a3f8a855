import { lookup } from "node:dns/promises";
import { BlockList, isIP } from "node:net";

/** This machine, and what only its own wire reaches, such as the secrets that clouds serve to their machines. */
const local = new BlockList();
local.addSubnet("0.0.0.0", 8);
local.addSubnet("127.0.0.0", 8);
local.addSubnet("169.254.0.0", 16);
local.addAddress("::", "ipv6");
local.addAddress("::1", "ipv6");
local.addSubnet("fe80::", 10, "ipv6");

/** Whether a URL leads to this machine or its own wire, also by a name that stands for such an address. */
export async function isLocal({ hostname }: URL): Promise<boolean> {
  const host = hostname.replace(/^\[|\]$/g, "");
  if (isIP(host) !== 0) return isLocalAddress(host);
  // A name that nobody knows leads nowhere: whoever connects to it says so.
  const found = await lookup(host, { all: true }).catch(() => []);
  return found.some(({ address }) => isLocalAddress(address));
}

function isLocalAddress(address: string): boolean {
  return local.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
}
