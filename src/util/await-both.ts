/**
 * Waits for both promises, even if one fails, so that nothing is still running when the caller rolls back its
 * transaction.
 * @throws the error of the failed promise; if both failed, the second one's
 */
export async function awaitBoth<A, B>(first: Promise<A>, second: Promise<B>): Promise<[A, B]> {
  const [, b] = await Promise.allSettled([first, second]);
  if (b.status === "rejected") throw b.reason;
  return [await first, b.value];
}
