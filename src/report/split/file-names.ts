/** Maximum length of a file name, without folder and extension: file systems allow 255 bytes. */
const longestName = 60;

/** Names that Windows reserves, whatever their extension. */
const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i;

/**
 * Returns file names for names that may repeat or contain any character, in their order: letters, digits, spaces and
 * `._-` are kept. Names that are equal, ignoring case, get their id or a number as a suffix.
 */
export function distinctFileNames(names: readonly { name: string; id: number | undefined }[]): string[] {
  const safe = names.map(({ name }) => safeName(name));
  const count = (name: string) => safe.filter((one) => isSame(one, name)).length;
  const taken = new Set<string>();
  return names.map(({ id }, index) => {
    const name = safe[index] ?? "";
    const base = count(name) > 1 && id !== undefined ? `${name} ${id}` : name;
    let file = base;
    for (let number = 2; taken.has(keyOf(file)); number += 1) file = `${base} ${number}`;
    taken.add(keyOf(file));
    return file;
  });
}

function safeName(name: string): string {
  const characters = [...name.normalize("NFC").replaceAll(/[^\p{L}\p{M}\p{N} ._-]+/gu, "-")];
  const kept = characters
    .slice(0, longestName)
    .join("")
    .replaceAll(/^[\s.-]+|[\s.-]+$/g, "");
  return kept === "" ? "unnamed" : reserved.test(kept) ? `${kept}_` : kept;
}

function isSame(one: string, other: string): boolean {
  return keyOf(one) === keyOf(other);
}

/** Some file systems ignore case. */
function keyOf(name: string): string {
  return name.toLowerCase();
}
