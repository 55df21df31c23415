import { limits } from '@kubechain/apimachinery';
import { expect } from 'chai';
import { once } from 'node:events';
import { connect } from 'node:tls';
import { SecureServing } from './secure-serving.ts';
import { fixtureAuthority, servingPEM } from '../testing/test-server.ts';

describe('requests that are malformed', () => {
  let serving: SecureServing;
  const taken: (string | undefined)[] = [];
  before(async () => {
    serving = new SecureServing(
      { host: '127.0.0.1', port: 0, certificate: { certFile: servingPEM, keyFile: servingPEM } },
      {
        request(request, response) {
          taken.push(request.method);
          request.resume().once('end', () => response.end(`taken: ${request.rawHeaders.length}`));
        },
        upgrade(_request, socket) {
          socket.end('HTTP/1.1 101 Switching Protocols\r\n\r\n');
        },
      },
    );
    await serving.listen();
  });
  after(() => {
    serving.destroy();
  });

  /** The status line and the body. */
  async function answer(text: string): Promise<string> {
    const socket = connect({
      host: '127.0.0.1',
      port: serving.port,
      ca: fixtureAuthority(),
      rejectUnauthorized: false,
    });
    let output = '';
    socket.on('data', (chunk: Buffer) => (output += chunk.toString()));
    socket.on('error', () => undefined);
    socket.write(text.replaceAll('\n', '\r\n'));
    await once(socket, 'close');
    const [head = '', body = ''] = output.split('\r\n\r\n');
    return `${head.split('\r\n')[0]} | ${body}`;
  }

  const unsupported = '505 HTTP Version Not Supported: unsupported protocol version';
  const rows: readonly (readonly [what: string, request: string, answer: string])[] = [
    ['without a version', 'GET /\n\n', '400 Bad Request | 400 Bad Request'],
    ['with two hosts', 'GET / HTTP/1.1\nHost: a\nhost: a\n\n', '400 Bad Request | 400 Bad Request'],
    [
      'without a host',
      'GET / HTTP/1.1\n\n',
      '400 Bad Request: missing required Host header | 400 Bad Request: missing required Host header',
    ],
    [
      'with a path for a host',
      'GET / HTTP/1.1\nHost: a/b\n\n',
      '400 Bad Request: malformed Host header | 400 Bad Request: malformed Host header',
    ],
    [
      'that upgrade, with two hosts',
      'GET / HTTP/1.1\nHost: a\nHost: b\nConnection: Upgrade\nUpgrade: websocket\n\n',
      '400 Bad Request | 400 Bad Request',
    ],
    ['of a version to come', 'GET / HTTP/9.9\nHost: a\n\n', `${unsupported} | ${unsupported}`],
    [
      'with a coding that is unknown',
      'POST / HTTP/1.1\nHost: a\nTransfer-Encoding: xchunked\n\n',
      '501 Not Implemented | Unsupported transfer encoding',
    ],
    [
      'with a coding besides chunks',
      'POST / HTTP/1.1\nHost: a\nTransfer-Encoding: gzip, chunked\n\n0\n\n',
      '501 Not Implemented | Unsupported transfer encoding',
    ],
    [
      'with a coding and a length',
      'POST / HTTP/1.1\nHost: a\nTransfer-Encoding: chunked\nContent-Length: 1\n\n',
      '400 Bad Request | 400 Bad Request',
    ],
    ...['A B: c', 'A : b', 'Host : a'].map(
      (header) =>
        [
          `with a space in a header's name (${header})`,
          `GET / HTTP/1.1\nHost: a\n${header}\n\n`,
          '400 Bad Request: invalid header name | 400 Bad Request: invalid header name',
        ] as const,
    ),
    ['with another mistake in a name', 'GET / HTTP/1.1\nHost: a\nA(b: c\n\n', '400 Bad Request | 400 Bad Request'],
    [
      'that expect what nobody knows',
      'POST / HTTP/1.1\nHost: a\nExpect: 200-ok\nContent-Length: 5\n\nhello',
      '417 Expectation Failed | ',
    ],
    ['that are no HTTP', 'hello\n\n', '400 Bad Request | 400 Bad Request'],
  ];
  for (const [what, request, expected] of rows)
    it(`${what} are refused as Go's server does`, async () => {
      expect(await answer(request)).to.equal(`HTTP/1.1 ${expected}`);
    });

  it('are not those that expect nothing', async () => {
    const expecting = 'GET / HTTP/1.1\nHost: a\nExpect:\nConnection: close\n\n';
    expect(await answer(expecting)).to.equal('HTTP/1.1 200 OK | taken: 6');
  });

  it('are not those with other hosts, or thousands of headers', async () => {
    for (const host of ['', 'a.b:80', '[::1%25eth0]:443', "a!$&'()*+,;=~_-"])
      expect(await answer(`GET / HTTP/1.1\nHost: ${host}\nConnection: close\n\n`)).to.equal(
        'HTTP/1.1 200 OK | taken: 4',
      );
    expect(await answer(`GET / HTTP/1.1\nHost: a\nConnection: close\n${'A: b\n'.repeat(5_000)}\n`)).to.equal(
      'HTTP/1.1 200 OK | taken: 10004',
    );
    expect(await answer('GET / HTTP/1.0\n\n')).to.equal('HTTP/1.1 200 OK | taken: 0');
  });

  it('are those whose heads are too long (requestHead)', async () => {
    const head = `GET / HTTP/1.1\nHost: a\nA: ${'a'.repeat(limits.requestHead.value)}\n\n`;
    expect(await answer(head)).to.include('431 Request Header Fields Too Large');
  });

  it('are not those that ask for the options of the server, which it answers itself', async () => {
    expect(await answer('OPTIONS * HTTP/1.1\nHost: a\nConnection: close\n\n')).to.equal('HTTP/1.1 200 OK | ');
  });

  it('are the last of their connection, also before one for a tunnel', async () => {
    taken.length = 0;
    const tunnel = 'CONNECT a:1 HTTP/1.1\nHost: a\n\n';
    expect(await answer(`GET / HTTP/1.1\nHost: a\nExpect: x\n\n${tunnel}`)).to.match(/^HTTP\/1.1 417 /);
    expect(await answer(`GET / HTTP/1.1\nHost: a/b\n\n${tunnel}`)).to.match(/^HTTP\/1.1 400 /);
    expect(taken).to.deep.equal([]);
    await answer(tunnel);
    expect(taken).to.deep.equal(['CONNECT']);
  });
});
