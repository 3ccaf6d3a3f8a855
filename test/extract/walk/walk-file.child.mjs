// Appends lines to a walk's file, the first argument, in two steps; prints its progress or the error.
import { WalkFile } from "../../../dist/extract/walk/walk-file.js";

const [path, ...counts] = process.argv.slice(2);
const file = await WalkFile.open(path, 0);
try {
  for (const count of counts) file.append(Array.from({ length: Number(count) }, () => "x".repeat(99)));
  await file.finish();
  process.stdout.write("finished");
} catch (error) {
  process.stdout.write(`${error.code} after ${file.bytes}`);
}
