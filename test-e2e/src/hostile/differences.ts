import type { Answer } from './answers.ts';

/** What a row is answered with here, and why that is not what kube-apiserver answers. */
export interface Difference {
  /** One of them. */
  readonly answers: readonly Answer[];
  readonly why: string;
}

const parser = "Node's parser of HTTP/1.1 decides before anything here sees the request, and refuses what is ambiguous";
const depth = 'a limit of nesting (docs/limits.md: jsonDepth, yamlDepth, callStack)';
const frames =
  'the reference has not switched protocols when the frame come' +
  's, and cuts the connection with it unread, so that no ' +
  'answer arrives; here the protocols are switched first';
const quantity = 'a limit of digits (docs/limits.md: quantityDigits)';
const digits: Answer = {
  statuses: [400],
  reason: 'BadRequest',
  message: 'Pod in version "v1" cannot be handled as a Pod: unable to parse numeric part of quantity',
};
const tooDeepYAML = (start: string): Answer => ({
  statuses: [400],
  reason: 'BadRequest',
  message:
    'the object provided is unrecognized (must be of type ConfigMap): yaml: exceeded max depth of 2500 ' +
    `(${start} ...)`,
});

/** By the names of the rows. */
export const differences: ReadonlyMap<string, Difference> = new Map<string, Difference>([
  ['both length and chunks', { answers: [{ statuses: [400] }], why: parser }],
  ['a chunk size beyond all numbers', { answers: [{ statuses: [400] }], why: `${parser}; nor is it a 500` }],
  ['a chunk with a long extension', { answers: [{ statuses: [413] }], why: `${parser}; nor is it a 500` }],
  ['a folded header', { answers: [{ statuses: [400] }], why: `${parser} (RFC 9112, 5.2)` }],
  ['line feeds alone', { answers: [{ statuses: [400] }], why: parser }],
  ['a method of its own', { answers: [{ statuses: [400] }], why: `${parser}: it knows methods by a list` }],
  ['a method of 10,000 letters', { answers: [{ statuses: [400] }], why: `${parser}: it knows methods by a list` }],
  ['HTTP/2 without saying so before', { answers: [{ statuses: [400] }], why: parser }],
  [
    'an upgrade to SPDY with noise behind it',
    {
      answers: [{ statuses: [404], reason: 'NotFound', message: 'pods "p" not found' }],
      why: 'the connection of a refused upgrade ends here; the reference takes what follows for a request',
    },
  ],
  ['a watch over WebSocket, and frames that are none', { answers: [{ statuses: [101] }], why: frames }],
  ['a watch over WebSocket, and a frame of 2^63 bytes', { answers: [{ statuses: [101] }], why: frames }],
  ['a watch over WebSocket, and 50,000 pings', { answers: [{ statuses: [101] }], why: frames }],
  [
    'a request behind a blank line',
    { answers: [{ statuses: [200] }], why: "Node's parser skips blank lines before a request (RFC 9112, 2.2)" },
  ],
  ['a path with odd bytes', { answers: [{ statuses: [400] }], why: `${parser}: paths are ASCII (RFC 9112, 3.2)` }],
  [
    'YAML: flow of 50,000 levels',
    { answers: [tooDeepYAML('5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b')], why: depth },
  ],
  [
    'YAML: blocks of 1,500 levels',
    {
      answers: [
        tooDeepYAML('613a0a20613a0a2020613a0a202020613a0a20202020613a0a2020202020'),
        {
          statuses: [422],
          reason: 'Invalid',
          message: 'ConfigMap "" is invalid: metadata.name: Required value: name or generateName is required',
        },
      ],
      why: `${depth}; how deep the stack reaches depends on what has been compiled`,
    },
  ],
  [
    'protobuf: 300,000 entries of a map',
    {
      answers: [
        {
          statuses: [413],
          reason: 'RequestEntityTooLarge',
          message: 'Request entity too large: limit is 250000 values',
        },
      ],
      why: 'a limit of values (docs/limits.md: bodyValues)',
    },
  ],
  [
    'YAML: a document of 3 MB of dashes',
    { answers: [tooDeepYAML('2d202d202d202d202d202d202d202d202d202d202d202d202d202d202d20')], why: depth },
  ],
  [
    'a Table of it',
    {
      answers: [{ statuses: [200] }],
      why: 'the reference goes every way of `..a..a..a..a` to a value, and has no answer within 15 seconds',
    },
  ],
  [
    'merge patch of 9,000 levels',
    {
      answers: [
        {
          statuses: [400],
          reason: 'BadRequest',
          message: "error decoding patch: invalid character '{' exceeded max depth",
        },
      ],
      why: depth,
    },
  ],
  [
    'a schema of 1,000 levels of allOf',
    {
      answers: [
        {
          statuses: [413],
          reason: 'RequestEntityTooLarge',
          message: 'Request entity too large: the object nests too deeply',
        },
      ],
      why: depth,
    },
  ],
  ['a quantity of 500,000 digits', { answers: [digits], why: quantity }],
  [
    'quantities with large exponents',
    { answers: [digits], why: `${quantity}; the reference has no answer within 15 seconds` },
  ],
  ['10,000 owners', { answers: [{ statuses: [422] }], why: 'the reference has no answer within 15 seconds' }],
]);
