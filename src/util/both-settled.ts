/**
 * Waits for two things to end, even when one fails: nothing may go on once the caller has given up, such as
 * behind a transaction that is rolled back.
 * @throws what failed; of two failures the second one's
 */
export async function bothSettled<A, B>(first: Promise<A>, second: Promise<B>): Promise<[A, B]> {
  const [, b] = await Promise.allSettled([first, second]);
  if (b.status === "rejected") throw b.reason;
  return [await first, b.value];
}
