import { expect } from 'chai';
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer, request, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { logFileHandler } from './log-files.ts';

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** As kube-apiserver 1.36.2 with --enable-logs-handler answers. */
describe('files of logs', () => {
  const changed = new Date('2026-01-02T03:04:05Z');
  let folder: string;
  let server: Server;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'kubechain-logs-'));
    mkdirSync(join(folder, 'pods'));
    mkdirSync(join(folder, 'page'));
    writeFileSync(join(folder, 'page/index.html'), '<p>hello</p>');
    writeFileSync(join(folder, 'a&b.log'), 'x');
    writeFileSync(join(folder, 'kube.log'), 'one\ntwo\n');
    writeFileSync(join(folder, 'empty.log'), '');
    utimesSync(join(folder, 'kube.log'), changed, changed);
    server = createServer(logFileHandler(folder));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  after(async () => {
    await new Promise((resolve) => server.close(resolve));
    rmSync(folder, { recursive: true, force: true });
  });

  function get(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
    const { port } = server.address() as AddressInfo;
    return new Promise((resolve, reject) => {
      const sent = request({ host: '127.0.0.1', port, path, method, headers, agent: false }, (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => (text += chunk));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
      });
      sent.on('error', reject);
      sent.end();
    });
  }

  it('are listed with links', async () => {
    const { headers, status, text } = await get('/logs/');
    expect([status, headers['content-type']]).to.deep.equal([200, 'text/html; charset=utf-8']);
    expect(text).to.equal(
      '<!doctype html>\n<meta name="viewport" content="width=device-width">\n<pre>\n' +
        '<a href="a&b.log">a&amp;b.log</a>\n<a href="empty.log">empty.log</a>\n<a href="kube.log">kube.log</a>\n' +
        '<a href="page/">page/</a>\n<a href="pods/">pods/</a>\n</pre>\n',
    );
  });

  it('are sent with type and time', async () => {
    const { headers, status, text } = await get('/logs/kube.log');
    expect([status, headers['content-type'], headers['last-modified'], text]).to.deep.equal([
      200,
      'text/plain; charset=utf-8',
      changed.toUTCString(),
      'one\ntwo\n',
    ]);
  });

  it('are sent in part', async () => {
    const { headers, status, text } = await get('/logs/kube.log', { range: 'bytes=4-' });
    expect([status, headers['content-range'], text]).to.deep.equal([206, 'bytes 4-7/8', 'two\n']);
  });

  const rows: readonly (readonly [what: string, path: string, status: number, text: string])[] = [
    ['an empty file', '/logs/empty.log', 200, ''],
    ['a file that is not there', '/logs/none.log', 404, '404 page not found\n'],
    ['a file below a file', '/logs/kube.log/x', 404, '404 page not found\n'],
    ['a name that is too long', `/logs/${'a'.repeat(300)}`, 404, 'file not found\n'],
    ['a way out of the directory', '/logs/%2e%2e/secret', 400, 'invalid URL path\n'],
    ['the page of a directory', '/logs/page/', 200, '<p>hello</p>'],
  ];
  for (const [what, path, status, text] of rows)
    it(`are: ${what}`, async () => {
      const answer = await get(path);
      expect([answer.status, answer.text]).to.deep.equal([status, text]);
    });

  it('are where their directory is said to be, with a slash at the end', async () => {
    const places = await Promise.all(['/logs', '/logs/pods?x=1', '/logs/page/index.html'].map((path) => get(path)));
    expect(places.map(({ headers, status }) => [status, headers.location])).to.deep.equal([
      [301, 'logs/'],
      [301, 'pods/?x=1'],
      [301, './'],
    ]);
  });

  it('are not sent again to who has them', async () => {
    const since = { 'if-modified-since': changed.toUTCString() };
    expect((await get('/logs/kube.log', since)).status).to.equal(304);
  });

  it('are only read', async () => {
    expect((await get('/logs/kube.log', {}, 'PUT')).status).to.equal(405);
  });
});
