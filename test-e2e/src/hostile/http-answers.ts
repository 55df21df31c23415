import { drip, pour, type RawAnswer } from './raw-backend.ts';

const ok = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';
const chunked = `${ok}Transfer-Encoding: chunked\r\n\r\n`;
const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`;

/** Writes it whole, and ends the connection. */
const sent =
  (text: string | Buffer): RawAnswer =>
  (socket) =>
    void socket.end(text);

/** What a server may answer that keeps to no rule of HTTP, by what it is. */
export const httpAnswers: ReadonlyMap<string, RawAnswer> = new Map<string, RawAnswer>([
  [
    'chunks without an end',
    (socket) => {
      socket.write(chunked);
      pour(socket, chunk('x'.repeat(1 << 18)));
    },
  ],
  [
    'chunks of one byte without an end',
    (socket) => {
      socket.write(chunked);
      pour(socket, chunk('x').repeat(10_000));
    },
  ],
  [
    'headers without an end',
    (socket) => {
      socket.write(ok);
      pour(socket, `X-A: ${'a'.repeat(1_000)}\r\n`);
    },
  ],
  [
    'one header without an end',
    (socket) => {
      socket.write(`${ok}X-A: `);
      pour(socket, 'a'.repeat(10_000));
    },
  ],
  [
    'a letter at a time',
    (socket) => {
      drip(socket, `${ok}Content-Length: 1000\r\n\r\n`);
    },
  ],
  [
    'a body of which a letter comes at a time',
    (socket) => {
      socket.write(`${ok}Content-Length: 1000\r\n\r\n`);
      drip(socket, 'x'.repeat(1_000));
    },
  ],
  [
    'a hundred thousand times that it goes on',
    (socket) => {
      socket.write('HTTP/1.1 100 Continue\r\n\r\n'.repeat(100_000));
      socket.end(`${ok}Content-Length: 2\r\n\r\n{}`);
    },
  ],
  [
    'ten thousand early hints',
    (socket) => {
      socket.write('HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\n\r\n'.repeat(10_000));
      socket.end(`${ok}Content-Length: 2\r\n\r\n{}`);
    },
  ],
  ['less than it says', sent(`${ok}Content-Length: 1000\r\n\r\n{}`)],
  ['more than it says', sent(`${ok}Content-Length: 2\r\n\r\n{}${'HTTP/1.1 200 OK\r\n\r\n'.repeat(1_000)}`)],
  ['two lengths', sent(`${ok}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}}`)],
  ['a length and chunks', sent(`${ok}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`)],
  ['a length below zero', sent(`${ok}Content-Length: -2\r\n\r\n{}`)],
  ['a length of 10^30', sent(`${ok}Content-Length: 1${'0'.repeat(30)}\r\n\r\n{}`)],
  ['a chunk of no size', sent(`${chunked}ZZ\r\n{}\r\n`)],
  ['a chunk of 2^64', sent(`${chunked}ffffffffffffffff\r\n{}\r\n`)],
  ['chunk extensions of a megabyte', sent(`${chunked}2;${'a=b;'.repeat(250_000)}\r\n{}\r\n0\r\n\r\n`)],
  ['100,000 trailers', sent(`${chunked}2\r\n{}\r\n0\r\n${'X-T: a\r\n'.repeat(100_000)}\r\n`)],
  ['another version', sent('HTTP/9.9 200 OK\r\n\r\n')],
  ['no status', sent('HTTP/1.1\r\n\r\n')],
  ['a status of 999', sent('HTTP/1.1 999 What\r\nContent-Length: 0\r\n\r\n')],
  ['a status of 000', sent('HTTP/1.1 000 \r\nContent-Length: 0\r\n\r\n')],
  ['nothing but zeros', sent(Buffer.alloc(1 << 20))],
  ['a page of angles', sent(`HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n${'<a href='.repeat(200_000)}`)],
  ['HTTP/2', sent(Buffer.concat([Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), Buffer.alloc(9)]))],
  ['headers of many letters', sent(`${ok}${'X-A: é\u0001\r\n'.repeat(1_000)}Content-Length: 2\r\n\r\n{}`)],
  ['a header of others', sent(`${ok}X-Remote-User: admin\r\nWarning: 299 - "a"\r\nContent-Length: 2\r\n\r\n{}`)],
  ['a change of protocols that nobody asked for', sent('HTTP/1.1 101 Switching\r\nUpgrade: a\r\n\r\nabc')],
  ['a redirect to where it came from', sent('HTTP/1.1 302 Found\r\nLocation: /\r\nContent-Length: 0\r\n\r\n')],
  [
    'a connection that is gone',
    (socket) => {
      socket.destroy();
    },
  ],
  [
    'a connection that is reset in the middle',
    (socket, _head, reset) => {
      socket.write(`${chunked}ffff\r\n{`);
      setTimeout(reset, 20);
    },
  ],
]);
