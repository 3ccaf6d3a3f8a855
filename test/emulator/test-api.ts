import type { Emulator } from "../../src/emulator/emulator.ts";
import { bearer, fetchToken } from "./small-emulator.ts";

export interface TestResponse {
  status: number;
  headers: Headers;
  /** Parsed JSON, or text if it is not JSON. */
  body: unknown;
}

/** Sends requests to the main API below `/ext/`, with a token. */
export interface TestApi {
  get(path: string): Promise<TestResponse>;
  post(path: string, body: unknown): Promise<TestResponse>;
  /** @param body nothing is sent if undefined */
  delete(path: string, body?: unknown): Promise<TestResponse>;
  /** @param form sent as `multipart/form-data` */
  upload(path: string, form: FormData): Promise<TestResponse>;
}

export async function createTestApi(emulator: Emulator): Promise<TestApi> {
  const token = await fetchToken(emulator);
  const send = async (method: string, path: string, body?: unknown): Promise<TestResponse> => {
    const isForm = body instanceof FormData;
    const isJson = body !== undefined && !isForm;
    const headers = { ...bearer(token), ...(isJson && { "Content-Type": "application/json" }) };
    const url = `${emulator.baseUrl}/ext/${path}`;
    const sent = isForm ? body : isJson ? JSON.stringify(body) : null;
    return readResponse(await fetch(url, { method, headers, body: sent }));
  };
  return {
    get: (path) => send("GET", path),
    post: (path, body) => send("POST", path, body),
    delete: (path, body) => send("DELETE", path, body),
    upload: (path, form) => send("POST", path, form),
  };
}

export async function readResponse(response: Response): Promise<TestResponse> {
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.startsWith("application/json") ?? false;
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
}
