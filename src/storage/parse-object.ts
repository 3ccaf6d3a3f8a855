import type { z } from "zod";

/** Returns the content of a JSON object in a store; `undefined` if it is damaged or has another format. */
export function parseObject<Shape>(schema: z.ZodType<Shape>, text: string): Shape | undefined {
  try {
    return schema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
