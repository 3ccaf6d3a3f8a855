// Downloads an object from a folder and prints the result or the error. Arguments: folder, key, bytes, SHA-256, file.
import { downloadFile } from "../../dist/storage/download-file.js";
import { openStorage } from "../../dist/storage/open-storage.js";

const [folder = "", key = "", bytes = "0", sha256 = "", file = ""] = process.argv.slice(2);
try {
  const storage = await openStorage(folder);
  process.stdout.write(`${await downloadFile(storage, { key, bytes: Number(bytes), sha256 }, file)}`);
} catch (error) {
  process.stdout.write(error.code);
}
