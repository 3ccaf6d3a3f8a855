import { PublishedDamagedError } from "../../mart/errors.ts";
import { messageOf } from "../../util/venue-error.ts";

/** For `catch`. */
export function rethrowDamage(error: unknown): never {
  throw damageOr(error);
}

/** DuckDB's words for a Parquet file that is gone or broken become an error of ours. */
export function damageOr(error: unknown): unknown {
  const message = messageOf(error);
  const isDamage =
    /^(IO|Invalid|Invalid Input|Serialization) Error: .*(magic bytes|too small to be a Parquet|TProtocolException|Decompression|No files found|No such file|parquet.*corrupt|Could not read enough bytes|Out of buffer|corrupt(ed)? file|Varint-decoding|don't know what type)/i.test(
      message,
    );
  return isDamage ? new PublishedDamagedError(message.split("\n", 1)[0] ?? message, { cause: error }) : error;
}
