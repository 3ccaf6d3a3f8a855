import { UnreadableBodyError } from "../transport/read-body.ts";
import { isTooDeep, tooDeep } from "./nesting.ts";

/**
 * A body's text as JSON; what is none comes as it is where that may be. Else a page is no answer, whatever its status
 * says; anything else that is no JSON was probably cut off. The text itself is in no error: it may be a secret.
 */
export function parseJson(
  text: string,
  { isHtml, mayBeText }: { isHtml: boolean; mayBeText: boolean },
): unknown {
  if ((isHtml || /^\s*</.test(text)) && !(mayBeText && text.trim() !== "")) {
    throw new UnreadableBodyError("it is a web page instead of JSON", "page");
  }
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    if (mayBeText && text.trim() !== "") return text.trim();
    throw new UnreadableBodyError(text.trim() === "" ? "it is empty" : "it is no whole JSON document", "cut");
  }
  if (!isTooDeep(json)) return json;
  if (mayBeText) return text.trim();
  throw new UnreadableBodyError(tooDeep, "form");
}
