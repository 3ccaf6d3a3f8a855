import { createHash } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandInput,
  type ListMultipartUploadsCommandOutput,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
} from "@aws-sdk/client-s3";
import { forEachAtOnce } from "../../util/for-each-at-once.ts";
import { isUnencrypted, toHttpUrl } from "../../util/http-values.ts";
import { StorageConflictError, StorageUnavailableError, storageUnencryptedError } from "../errors.ts";
import type { S3Url } from "../s3-url.ts";
import type {
  ByteRange,
  Condition,
  FoundObject,
  ObjectContent,
  ObjectInfo,
  Storage,
  UnfinishedUpload,
} from "../storage.ts";
import { copyObject } from "./copy-object.ts";
import { createClient } from "./create-client.ts";
import { ObjectMissingError, type RequestAction, toStorageError } from "./s3-errors.ts";
import { uploadFile } from "./upload-file.ts";

/** Maximum attempts to read an object if the response ends early, or to write one that others are writing. */
const attempts = 4;
const firstDelayMs = 100;
const deletesAtOnce = 16;

/** Stores objects in an S3 bucket, below a prefix. An object's version is its ETag. */
export class S3Storage implements Storage {
  readonly location: string;
  readonly #bucket: string;
  /** Empty, or ends with a slash. */
  readonly #prefix: string;
  readonly #client: S3Client;
  readonly #signal: AbortSignal | undefined;

  constructor({ bucket, prefix }: S3Url, signal?: AbortSignal) {
    this.location = `s3://${[bucket, prefix].filter(Boolean).join("/")}`;
    this.#bucket = bucket;
    this.#prefix = prefix && `${prefix}/`;
    this.#client = createClient();
    this.#signal = signal;
  }

  addressOf(key: string): string {
    return `${this.location}/${key}`;
  }

  async put(key: string, content: string | Uint8Array, condition?: Condition): Promise<string> {
    const body = Buffer.from(content);
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#putOnce(key, body, condition);
      } catch (error) {
        if (!condition || !isUndecided(error)) throw error;
        // The response to a successful write may have been lost. The retry then finds the written object.
        const found = await this.find(key);
        if (found?.content.equals(body)) return found.version;
        const isChanged = found?.version !== ("ifMatch" in condition ? condition.ifMatch : undefined);
        if (isChanged) throw new StorageConflictError(this.addressOf(key));
        if (error instanceof StorageUnavailableError || attempt === attempts) throw error;
        // Other writes of the object are in progress, but none has succeeded yet.
        await setTimeout(firstDelayMs * 2 ** attempt);
      }
    }
  }

  async #putOnce(key: string, body: Buffer, condition: Condition | undefined): Promise<string> {
    const { ETag = "" } = await this.#send("write", key, (options) =>
      this.#client.send(
        new PutObjectCommand({
          ...this.#object(key),
          Body: body,
          ChecksumSHA256: createHash("sha256").update(body).digest("base64"),
          ...(condition && "ifNoneMatch" in condition && { IfNoneMatch: condition.ifNoneMatch }),
          ...(condition && "ifMatch" in condition && { IfMatch: condition.ifMatch }),
        }),
        options,
      ),
    );
    return ETag;
  }

  async putFile(key: string, file: string, sha256: string): Promise<void> {
    await uploadFile(
      this.#target(key),
      { file, sha256 },
      async (send) => await this.#send("write", key, send),
    );
  }

  async copy(from: string, to: string, content: ObjectContent): Promise<boolean> {
    try {
      const source = this.#object(from).Key;
      await copyObject(
        this.#target(to),
        source,
        content,
        async (send) => await this.#send("write", to, send),
      );
      return true;
    } catch (error) {
      if (error instanceof ObjectMissingError) return false;
      throw error;
    }
  }

  async find(key: string): Promise<FoundObject | undefined> {
    return await this.#read(key);
  }

  async findRange(key: string, { start, bytes }: ByteRange): Promise<Buffer | undefined> {
    return (await this.#read(key, `bytes=${start}-${start + bytes - 1}`))?.content;
  }

  async #read(key: string, range?: string): Promise<FoundObject | undefined> {
    return await this.#sendUnlessMissing("read", key, async (options) => {
      for (let attempt = 1; ; attempt += 1) {
        const command = new GetObjectCommand({ ...this.#object(key), Range: range });
        const { Body, ContentLength, ETag = "", LastModified } = await this.#client.send(command, options);
        // The client retries failed requests, but not those whose response ends early.
        const content = await Body?.transformToByteArray().catch((error: unknown) => {
          if (attempt === attempts) throw error;
        });
        if (content && content.length === ContentLength)
          return { content: Buffer.from(content), version: ETag, modifiedAt: LastModified ?? new Date(0) };
        if (attempt === attempts)
          throw Object.assign(new Error("the response broke off"), { code: "ECONNRESET" });
        await setTimeout(firstDelayMs * 2 ** attempt);
      }
    });
  }

  async findInfo(key: string): Promise<ObjectInfo | undefined> {
    const found = await this.#sendUnlessMissing("read", key, (options) =>
      this.#client.send(new HeadObjectCommand(this.#object(key)), options),
    );
    return found && { key, bytes: found.ContentLength ?? 0, modifiedAt: found.LastModified ?? new Date(0) };
  }

  async *list(prefix: string): AsyncGenerator<ObjectInfo> {
    let token: string | undefined;
    do {
      const page = await this.#send("list", prefix, (options) =>
        this.#client.send(
          new ListObjectsV2Command({
            Bucket: this.#bucket,
            Prefix: this.#prefix + prefix,
            ContinuationToken: token,
          }),
          options,
        ),
      );
      for (const { Key = "", Size = 0, LastModified } of page.Contents ?? []) {
        const key = this.#keyOf(Key);
        // Some stores also list folders as objects.
        if (!key.endsWith("/")) yield { key, bytes: Size, modifiedAt: LastModified ?? new Date(0) };
      }
      token = page.IsTruncated ? page.NextContinuationToken : undefined;
    } while (token !== undefined);
  }

  /** Deletes one object per request, because some stores don't support several, or refuse their checksum. */
  async delete(keys: readonly string[]): Promise<void> {
    await forEachAtOnce(keys, deletesAtOnce, async (key) => {
      await this.#sendUnlessMissing("delete", key, (options) =>
        this.#client.send(new DeleteObjectCommand(this.#object(key)), options),
      );
    });
  }

  async deleteFolder(folder: string): Promise<void> {
    const keys: string[] = [];
    for await (const { key } of this.list(`${folder}/`)) keys.push(key);
    await this.delete(keys);
  }

  async *listUploads(prefix = ""): AsyncGenerator<UnfinishedUpload> {
    let markers: Pick<ListMultipartUploadsCommandInput, "KeyMarker" | "UploadIdMarker"> | undefined = {};
    while (markers) {
      const input: ListMultipartUploadsCommandInput = {
        ...{ Bucket: this.#bucket, Prefix: this.#prefix + prefix },
        ...markers,
      };
      const page: ListMultipartUploadsCommandOutput = await this.#send("list", "", (options) =>
        this.#client.send(new ListMultipartUploadsCommand(input), options),
      );
      for (const { Key = "", UploadId = "", Initiated } of page.Uploads ?? [])
        yield { key: this.#keyOf(Key), id: UploadId, startedAt: Initiated ?? new Date(0) };
      markers = page.IsTruncated
        ? { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker }
        : undefined;
    }
  }

  async abortUpload({ key, id }: UnfinishedUpload): Promise<void> {
    await this.#sendUnlessMissing("delete", key, (options) =>
      this.#client.send(new AbortMultipartUploadCommand({ ...this.#object(key), UploadId: id }), options),
    );
  }

  async assertEncrypted(): Promise<void> {
    const endpoint = toHttpUrl((await this.#client.config.serviceConfiguredEndpoint?.()) ?? "");
    if (endpoint && isUnencrypted(endpoint)) throw storageUnencryptedError(this.location, endpoint.origin);
  }

  #target(key: string) {
    return { ...this.#object(key), client: this.#client };
  }

  #object(key: string): { Bucket: string; Key: string } {
    return { Bucket: this.#bucket, Key: this.#prefix + key };
  }

  #keyOf(fullKey: string): string {
    return fullKey.slice(this.#prefix.length);
  }

  async #sendUnlessMissing<Result>(
    action: RequestAction,
    key: string,
    send: Send<Result>,
  ): Promise<Result | undefined> {
    try {
      return await this.#send(action, key, send);
    } catch (error) {
      if (error instanceof ObjectMissingError) return undefined;
      throw error;
    }
  }

  /** Sends a request. If it fails, the error includes the next step. */
  async #send<Result>(action: RequestAction, key: string, send: Send<Result>): Promise<Result> {
    this.#signal?.throwIfAborted();
    try {
      return await send(this.#signal ? { abortSignal: this.#signal } : {});
    } catch (error) {
      this.#signal?.throwIfAborted();
      throw toStorageError(error, { action, address: this.addressOf(key), bucket: this.#bucket });
    }
  }
}

type Send<Result> = (options: { abortSignal?: AbortSignal }) => Promise<Result>;

/** Returns true if this write or another may have changed the object. */
function isUndecided(error: unknown): boolean {
  return (
    error instanceof StorageConflictError ||
    error instanceof StorageUnavailableError ||
    // S3 returns this status if the write requires a version of an object that is missing.
    error instanceof ObjectMissingError
  );
}
