// Imported before the program: it takes the terminal a while to stop showing what is typed.
import { ReadStream } from "node:tty";

const { setRawMode } = ReadStream.prototype;

ReadStream.prototype.setRawMode = function (isRaw) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
  return setRawMode.call(this, isRaw);
};
