import { chanceOf } from "./history.mjs";

const words = (
  "Harbour Silver Market Corner Old Mill Station Garden North Bridge Café River Upper Square Golden Señora " +
  "Winter Street Morning Velvet Stone Highway Lantern Meadow Paper Summer Castle Distant Echo Tower Amber Ocean"
).split(" ");

/** A name of 20 to 40 characters, determined by the two numbers. */
export function nameOf(what, id) {
  const least = 20 + (chanceOf(what, id) % 10);
  const end = ` ${id}`;
  let name = "";
  for (let word = 0; name.length + end.length < least; word += 1)
    name += `${word > 0 ? " " : ""}${words[chanceOf(what + word + 1, id) % words.length]}`;
  return name + end;
}
