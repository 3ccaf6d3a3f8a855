import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

export interface DownloadLink {
  url: string;
  /** By the real clock. */
  expiresAt: Date;
}

/** Presigned links: whoever holds one may download, until it expires by the real clock. */
export class DownloadLinks {
  readonly #key = randomBytes(32);
  readonly #linkSeconds: number;

  constructor(linkSeconds: number) {
    this.#linkSeconds = linkSeconds;
  }

  /** @param trueSeconds for how long it is valid in truth, if that is not what it says */
  create(downloadOrigin: string, jobId: string, trueSeconds = this.#linkSeconds): DownloadLink {
    const said = Math.floor(Date.now() / 1000 + this.#linkSeconds);
    const expires = Math.floor(Date.now() / 1000 + trueSeconds);
    const url = new URL(`/exports/${encodeURIComponent(jobId)}`, downloadOrigin);
    url.searchParams.set("expires", String(expires));
    url.searchParams.set("signature", this.#sign(jobId, String(expires)));
    return { url: url.href, expiresAt: new Date(said * 1000) };
  }

  isValid(jobId: string, expires: string, signature: string): boolean {
    const [expected, given] = [Buffer.from(this.#sign(jobId, expires)), Buffer.from(signature)];
    const isOurs = expected.length === given.length && timingSafeEqual(expected, given);
    return isOurs && Date.now() < Number(expires) * 1000;
  }

  #sign(jobId: string, expires: string): string {
    return createHmac("sha256", this.#key).update(`${jobId}\n${expires}`).digest("hex");
  }
}
