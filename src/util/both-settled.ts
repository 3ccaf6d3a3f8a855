/**
 * Waits for both promises to settle, even if one fails: nothing may continue once the caller has given up,
 * for example after its transaction is rolled back.
 * @throws the error of the failed one; of two, the second one's
 */
export async function bothSettled<A, B>(first: Promise<A>, second: Promise<B>): Promise<[A, B]> {
  const [, b] = await Promise.allSettled([first, second]);
  if (b.status === "rejected") throw b.reason;
  return [await first, b.value];
}
