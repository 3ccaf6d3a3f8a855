// Repeatedly appends the next number to an object while other processes do the same. Arguments: target, rounds.
import { openStorage } from "../../dist/storage/open-storage.js";

const [target = "", rounds = "0"] = process.argv.slice(2);
const storage = await openStorage(target);
for (let round = 0; round < Number(rounds); ) {
  const found = await storage.find("counter");
  const lines = found?.content.toString() ?? "";
  const next = `${lines}${lines.split("\n").length} by ${process.pid}\n`;
  try {
    await storage.put("counter", next, found ? { ifMatch: found.version } : { ifNoneMatch: "*" });
    round += 1;
  } catch (error) {
    if (error.code !== "STORAGE_CONFLICT") throw error;
  }
}
