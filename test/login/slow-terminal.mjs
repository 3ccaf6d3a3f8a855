// Preloaded before the program: a terminal that is slow to stop echoing input.
import { ReadStream } from "node:tty";

const { setRawMode } = ReadStream.prototype;

ReadStream.prototype.setRawMode = function (isRaw) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
  return setRawMode.call(this, isRaw);
};
