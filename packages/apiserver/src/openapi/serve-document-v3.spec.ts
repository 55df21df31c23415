import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { serveDocumentV3 } from './serve-document-v3.ts';
import { StoredDocument } from './stored-document.ts';

describe('version 3 documents over HTTP', () => {
  const document = new StoredDocument(Buffer.from('{"openapi":"3.0.0"}'), Date.UTC(2026, 0, 1));
  const tag = `"${document.etag}"`;
  let server: Server;
  let url: string;

  before(async () => {
    server = createServer({ maxHeaderSize: 128 * 1024 }, (request, response) => {
      serveDocumentV3(request, response, {
        name: 'api/v1',
        document,
        query: request.url?.split('?', 2)[1] ?? '',
        now: Date.UTC(2026, 0, 2),
      });
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/openapi/v3/api/v1`;
  });
  after((done) => {
    server.close(done);
    server.closeAllConnections();
  });

  const cases: readonly (readonly [
    name: string,
    query: string,
    init: RequestInit,
    status: number,
    headers: Readonly<Record<string, string | null>>,
    body: string,
  ])[] = [
    [
      'whole, to be revalidated',
      '',
      {},
      200,
      { etag: tag, vary: 'Accept', 'cache-control': null, 'content-type': 'application/json' },
      '{"openapi":"3.0.0"}',
    ],
    [
      'for ever with its hash',
      `?hash=${document.etag}`,
      {},
      200,
      { 'cache-control': 'public, immutable', expires: 'Sat, 02 Jan 2027 00:00:00 GMT' },
      '{"openapi":"3.0.0"}',
    ],
    [
      'elsewhere with another hash',
      '?hash=OLD',
      { redirect: 'manual' },
      301,
      { location: `/openapi/v3/api/v1?hash=${document.etag}` },
      '',
    ],
    [
      'not again with its tag',
      '',
      { headers: { 'if-none-match': tag } },
      304,
      { etag: tag, 'last-modified': null },
      '',
    ],
    ['not again with any tag', '', { headers: { 'if-none-match': '*' } }, 304, {}, ''],
    [
      'not again when it is no newer',
      '',
      { headers: { 'if-modified-since': 'Thu, 01 Jan 2026 00:00:00 GMT' } },
      304,
      {},
      '',
    ],
    ['a range', '', { headers: { range: 'bytes=0-3' } }, 206, { 'content-range': 'bytes 0-3/19' }, '{"op'],
    ['a range from the end', '', { headers: { range: 'bytes=-2' } }, 206, { 'content-range': 'bytes 17-18/19' }, '"}'],
    [
      'no range behind the end',
      '',
      { headers: { range: 'bytes=99-' } },
      416,
      { 'content-range': 'bytes */19' },
      'invalid range: failed to overlap\n',
    ],
    [
      'a range with spaces',
      '',
      { headers: { range: 'bytes= 0 - 3 , ' } },
      206,
      { 'content-range': 'bytes 0-3/19' },
      '{"op',
    ],
    [
      'not again when it is no newer than with no tag',
      '',
      { headers: { 'if-none-match': '', 'if-modified-since': 'Thu, 01 Jan 2026 00:00:00 GMT' } },
      304,
      {},
      '',
    ],
    [
      'no range that ends before it begins',
      '',
      { headers: { range: 'bytes=2-1' } },
      416,
      { etag: null },
      'invalid range\n',
    ],
    [
      'no range of another unit',
      '',
      { headers: { range: 'x=1-2' } },
      416,
      { 'cache-control': null },
      'invalid range\n',
    ],
    [
      'everything when the range is one of something else',
      '',
      { headers: { range: 'bytes=0-1', 'if-range': '"x"' } },
      200,
      { 'content-range': null },
      '{"openapi":"3.0.0"}',
    ],
    ['a range of what it knows', '', { headers: { range: 'bytes=0-1', 'if-range': tag } }, 206, {}, '{"'],
    ['nothing but what it knows', '', { headers: { 'if-match': '"x"' } }, 412, { 'accept-ranges': null }, ''],
    ['what it knows', '', { headers: { 'if-match': tag } }, 200, {}, '{"openapi":"3.0.0"}'],
    [
      'nothing that was changed since',
      '',
      { headers: { 'if-unmodified-since': 'Wed, 21 Oct 2015 07:28:00 GMT' } },
      412,
      {},
      '',
    ],
    ['headers only', '', { method: 'HEAD' }, 200, { 'content-length': '19' }, ''],
    ['nothing acceptable', '', { headers: { accept: 'text/html' } }, 406, {}, ''],
    [
      'nothing for a header that cannot be read',
      '',
      { headers: { accept: 'json' } },
      200,
      { vary: 'Accept', etag: null },
      '',
    ],
    [
      'protobuf',
      '',
      { headers: { accept: 'application/com.github.proto-openapi.spec.v3@v1.0+protobuf' } },
      200,
      { 'content-type': 'application/com.github.proto-openapi.spec.v3.v1.0+protobuf' },
      '\n\u00053.0.0',
    ],
  ];
  for (const [name, query, init, status, headers, body] of cases) {
    it(name, async () => {
      const response = await fetch(url + query, init);
      expect(response.status).to.equal(status);
      for (const [header, value] of Object.entries(headers))
        expect(response.headers.get(header), header).to.equal(value);
      expect(await response.text()).to.equal(body);
    });
  }

  it('refuses a range with thousands of spaces in no time', async () => {
    const startedAt = process.threadCpuUsage().user;
    const response = await fetch(url, { headers: { range: `bytes=${' '.repeat(60_000)}x` } });
    expect(response.status).to.equal(416);
    expect((process.threadCpuUsage().user - startedAt) / 1_000).to.be.below(500);
  });
});
