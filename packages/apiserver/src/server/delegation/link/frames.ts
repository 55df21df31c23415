/**
 * The frames of a link, the connection between two processes of the chain (docs/link.md). Each begins with a head of 12
 * bytes, big-endian: type (1), flags (1), two bytes of zero, a number (4; of the stream unless told otherwise), and the
 * length of what follows (4).
 */
export const frameHeadBytes = 12;

/** The token that asks for a link in `Upgrade`; the number grows when frames change their meaning. */
export const linkProtocol = 'kubechain-link/1';

/** What a frame is, and what follows its head. */
export const FrameType = {
  /** Front to back. The number is of a block of fields: names and values, kept until it is defined again. */
  block: 1,
  /** Front to back: a request. The number of its block (4), then fields: method, URL, names and values. */
  open: 2,
  /** Both ways: bytes of a body. */
  data: 3,
  /** Back to front: an answer's status, then names and values. */
  head: 4,
  /** Back to front: an informational answer (1xx), as `head`. */
  information: 5,
  /** Back to front: names and values that end an answer. */
  trailers: 6,
  /** Both ways: the stream is over at once, half done. No answer comes to it. */
  reset: 7,
  /** Both ways: so many more bytes (4) of the stream's body may be sent. */
  credit: 8,
  /** Back to front: the number of streams (4), their numbers (4 each), then bytes of the body of each of them. */
  shared: 9,
  /** Back to front: no further request is taken; those that are open are answered. */
  goaway: 10,
} as const;

/** What a frame is. */
export type FrameType = (typeof FrameType)[keyof typeof FrameType];

/** With this flag a frame is the last of its sender on its stream. */
export const endFlag = 1;

/** Bytes of a body that may be under way on one stream, either way, before its reader has said that it took some. */
export const windowBytes = 512 * 1024;

/** The longest frame but those of bodies: blocks, requests, heads, trailers. */
export const longestFieldsBytes = 2 * 1024 * 1024;

/** What came over a link is none of the above: the connection cannot be trusted any further. */
export class LinkProtocolError extends Error {
  override readonly name = 'LinkProtocolError';
}
