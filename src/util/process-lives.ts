import { readFileSync } from "node:fs";

/** Whether there is a process of this number on this machine; it may be another one than before. */
export function processLives(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it lives, but belongs to another user.
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  return !isZombie(pid);
}

/** Whether the process of this number is still the one that started then, as `processStarted` told it. */
export function sameProcessLives(pid: number, started: string): boolean {
  return processLives(pid) && processStarted(pid) === started;
}

/** Whether another process than this one has the number: in a container, one that was killed may have had that of this one. */
export function otherProcessLives(pid: number): boolean {
  return pid !== process.pid && processLives(pid);
}

/** When a process started, in the kernel's ticks since boot, or '' where the system does not tell. */
export function processStarted(pid: number): string {
  return statFields(pid)[19] ?? "";
}

/**
 * Whether all of it has ended, but its parent has not asked how: nothing of it will ever run again, and where that
 * parent is the first process of a container, it may stand there for good.
 */
function isZombie(pid: number): boolean {
  const fields = statFields(pid);
  // Of a process whose threads have not all ended, the first may have.
  return fields[0] === "Z" && Number(fields[17]) <= 1;
}

/** What the kernel says of a process, from its state on; nothing where the system does not tell. */
function statFields(pid: number): string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The second field, the program's name in parentheses, may hold blanks; the state is the third.
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  } catch {
    return [];
  }
}
