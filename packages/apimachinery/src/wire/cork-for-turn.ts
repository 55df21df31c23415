import type { Writable } from 'node:stream';

/** To be called before each write: what is written to a stream in one turn of the event loop goes out as one. */
export function corkForTurn(stream: Writable): void {
  if (stream.writableCorked > 0) return;
  stream.cork();
  process.nextTick(uncork, stream);
}

function uncork(stream: Writable): void {
  stream.uncork();
}
