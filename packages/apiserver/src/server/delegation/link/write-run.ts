import type { ServerResponse } from 'node:http';
import type { PieceRun } from './piece-run.ts';

/**
 * Writes pieces of a body that has begun, as so many calls of `write` would, in one. False while the client takes no
 * more, until `drain`.
 *
 * Over HTTP/1.1 each piece is a chunk of its own. Node frames each chunk for each response, as four buffers of a
 * gathered write, which is most of what an event of a watch costs; here that is done once for all that get the same
 * pieces, and they go to the connection as one buffer.
 */
export function writeRun(response: ServerResponse, run: PieceRun): boolean {
  // Who has put itself before `write` (to count events, to cut an answer) is to see each piece as it is.
  if (Object.hasOwn(response, 'write')) {
    let more = true;
    for (const piece of run.pieces()) more = response.write(piece);
    return more;
  }
  // Over HTTP/2, and where the length is known, nothing is framed here.
  if (response.chunkedEncoding !== true || !response.headersSent || response.writableCorked > 0)
    return response.write(run.plain());
  // For this call only: the chunks are made.
  response.chunkedEncoding = false;
  try {
    return response.write(run.chunked());
  } finally {
    response.chunkedEncoding = true;
  }
}
