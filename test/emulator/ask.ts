import type { Emulator } from "../../src/emulator/emulator.ts";
import { bearer, fetchToken } from "./small-emulator.ts";

export interface Answer {
  status: number;
  headers: Headers;
  /** Parsed JSON, or text if it is not JSON. */
  body: unknown;
}

/** Sends requests to the main API below `/ext/`, with a token. */
export interface Ask {
  get(path: string): Promise<Answer>;
  post(path: string, body: unknown): Promise<Answer>;
  /** @param body nothing is sent if undefined */
  delete(path: string, body?: unknown): Promise<Answer>;
  /** @param form sent as `multipart/form-data` */
  upload(path: string, form: FormData): Promise<Answer>;
}

export async function createAsk(emulator: Emulator): Promise<Ask> {
  const token = await fetchToken(emulator);
  const send = async (method: string, path: string, body?: unknown): Promise<Answer> => {
    const isForm = body instanceof FormData;
    const isJson = body !== undefined && !isForm;
    const headers = { ...bearer(token), ...(isJson && { "Content-Type": "application/json" }) };
    const url = `${emulator.baseUrl}/ext/${path}`;
    const sent = isForm ? body : isJson ? JSON.stringify(body) : null;
    return readAnswer(await fetch(url, { method, headers, body: sent }));
  };
  return {
    get: (path) => send("GET", path),
    post: (path, body) => send("POST", path, body),
    delete: (path, body) => send("DELETE", path, body),
    upload: (path, form) => send("POST", path, form),
  };
}

export async function readAnswer(answer: Response): Promise<Answer> {
  const text = await answer.text();
  const isJson = answer.headers.get("content-type")?.startsWith("application/json") ?? false;
  return { status: answer.status, headers: answer.headers, body: isJson ? JSON.parse(text) : text };
}
