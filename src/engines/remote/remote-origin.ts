import { isUnencrypted, toHttpUrl } from "../../util/http-values.ts";
import { RemoteAddressError } from "./remote-address-error.ts";

/**
 * Scheme, host and port of an address.
 * @param hasCredentials they may not go over a network in the clear
 * @throws {RemoteAddressError} when the address is none, or would show the credentials
 */
export function remoteOrigin(address: string, hasCredentials: boolean): string {
  const url = toHttpUrl(address);
  if (!url) {
    throw new RemoteAddressError(
      `${JSON.stringify(address)} is not the address of a server. Write it as http(s)://HOST:PORT.`,
    );
  }
  if (url.username !== "" || url.password !== "") {
    throw new RemoteAddressError(
      `The address of ${url.host} holds a user or password. Leave them out, and give them as settings.`,
    );
  }
  if (hasCredentials && isUnencrypted(url)) {
    throw new RemoteAddressError(
      `${url.origin} would be sent a password or token in the clear. Use https, or leave the credentials out.`,
    );
  }
  return url.origin;
}
