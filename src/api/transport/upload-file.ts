import { openAsBlob } from "node:fs";
import { access, constants, stat } from "node:fs/promises";
import { basename } from "node:path";
import { FormData } from "undici";
import { UploadFileError } from "../errors/upload-file-error.ts";
import { contentTypeOf } from "./content-type.ts";

/**
 * A multipart form with a file, which is read from disk as it is sent, and again when it is sent again.
 * @param fields those that are `undefined` are left out
 * @throws {UploadFileError} when the file is missing, unreadable or empty
 */
export async function openUpload(path: string, fields: object): Promise<FormData> {
  await checkFile(path);
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined) form.set(name, String(value));
  }
  form.set("file", await openAsBlob(path, { type: contentTypeOf(path) }), basename(path));
  return form;
}

async function checkFile(path: string): Promise<void> {
  try {
    const file = await stat(path);
    if (!file.isFile()) throw new UploadFileError(path, "it is no file");
    if (file.size === 0) throw new UploadFileError(path, "it is empty");
    await access(path, constants.R_OK);
  } catch (error) {
    if (error instanceof UploadFileError) throw error;
    throw new UploadFileError(path, problemOf(error as NodeJS.ErrnoException), { cause: error });
  }
}

function problemOf({ code, message }: NodeJS.ErrnoException): string {
  if (code === "ENOENT" || code === "ENOTDIR") return "it does not exist";
  if (code === "EACCES" || code === "EPERM") return "there is no permission to read it";
  return message;
}
