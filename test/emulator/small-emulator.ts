import { onTestFinished } from "vitest";
import { type Emulator, type EmulatorOptions, startEmulator } from "../../src/emulator/emulator.ts";

/** An emulator over a world of two zones, two days and a few hundred plays; closed when the test ends. */
export async function startSmallEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const emulator = await startEmulator({
    zones: 2,
    days: 2,
    playScale: 0.2,
    ratePerSecond: 1000,
    exportSeconds: 0,
    ...options,
  });
  onTestFinished(() => emulator.close());
  return emulator;
}

export async function fetchToken({ baseUrl, clientId, clientSecret }: Emulator): Promise<string> {
  const answer = await postJson(`${baseUrl}/api-clients/token`, {
    client_id: clientId,
    client_secret: clientSecret,
  });
  const body = (await answer.json()) as { access_token: string };
  return body.access_token;
}

export function postJson(url: string, body: unknown, token?: string): Promise<Response> {
  return fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...(token && bearer(token)) },
    body: JSON.stringify(body),
  });
}

export function bearer(token: string): { Authorization: string } {
  return { Authorization: `Bearer ${token}` };
}

export interface JobAnswer {
  job_id: string;
  status: string;
  download_url?: string;
  expires_at?: string;
  error?: string;
}

export async function createExport(
  emulator: Emulator,
  token: string,
  { kind = "music", groupId = 58429 } = {},
): Promise<string> {
  const url = `${emulator.baseUrl}/ext/data/${kind}/history/export`;
  const answer = await postJson(url, { group_id: groupId }, token);
  const body = (await answer.json()) as JobAnswer;
  return body.job_id;
}

export async function poll({ baseUrl }: Emulator, token: string, jobId: string): Promise<JobAnswer> {
  const answer = await fetch(`${baseUrl}/ext/data/history/exports/${jobId}`, { headers: bearer(token) });
  return (await answer.json()) as JobAnswer;
}

export async function exportLink(
  emulator: Emulator,
  token: string,
  options: { kind?: string; groupId?: number } = {},
): Promise<string> {
  const jobId = await createExport(emulator, token, options);
  for (;;) {
    const { status, download_url: url } = await poll(emulator, token, jobId);
    if (url) return url;
    if (status !== "processing") throw new Error(`The export is ${status}.`);
  }
}
