const names = ["client_secret", "clientSecret", "secret"];

/**
 * The client secret in an answer whose shape the service does not document: one word alone (no page, sentence or cut
 * JSON), or under a usual name, also one level down (`{"data": {"client_secret": …}}`). `undefined` where there is none
 * that is certain.
 */
export function findSecret(answer: unknown): string | undefined {
  if (typeof answer === "string") return /^[^\s<>{}[\]"]+$/.test(answer) ? answer : undefined;
  const objects = [answer, ...Object.values(Object(answer))].map((value) => Object(value));
  const found = objects.flatMap((object) => names.map((name) => object[name])).filter(isText);
  return new Set(found).size === 1 ? found[0] : undefined;
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}
