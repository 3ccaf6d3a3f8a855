import { rename, rm, symlink } from "node:fs/promises";

/**
 * Makes a link point to a neighbour, in one instant for whoever follows it.
 * @param target relative to the link's folder
 */
export async function pointTo(link: string, target: string): Promise<void> {
  const next = `${link}.${process.pid}.new`;
  await rm(next, { force: true });
  await symlink(target, next);
  await rename(next, link);
}
