import { expect } from 'chai';
import { createServer, get, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { writeMade } from './write-bytes.ts';

const piece = Buffer.alloc(1024 * 1024, 'x');

async function* pieces(count: number, failure?: Error): AsyncGenerator<Uint8Array> {
  for (let i = 0; i < count; i++) yield await Promise.resolve(piece);
  if (failure !== undefined) throw failure;
}

/** What a client gets of a body that is made so: its bytes, undefined where it breaks off. */
async function ask(
  made: () => AsyncGenerator<Uint8Array>,
  headers: Record<string, string> = {},
): Promise<{ readonly answer: IncomingMessage; readonly bytes: number | undefined; readonly failed: unknown }> {
  let failed: unknown;
  const server = createServer((request, response) => {
    writeMade(request, response, made(), { code: 200, contentType: 'text/plain' }).catch((error: unknown) => {
      failed = error;
      response.statusCode = 500;
      response.end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const request = get({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', headers });
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  let bytes: number | undefined = 0;
  try {
    for await (const chunk of answer) bytes += (chunk as Buffer).length;
  } catch {
    bytes = undefined;
  }
  server.close();
  return { answer, bytes, failed };
}

describe('a body that is made piece by piece', () => {
  it('has its length told when it is small', async () => {
    const { answer, bytes } = await ask(() => pieces(3));
    expect([answer.statusCode, bytes, answer.headers['content-length']]).to.deep.equal([200, 3 * 2 ** 20, '3145728']);
  });

  it('is sent while it is made beyond answerAhead', async () => {
    const { answer, bytes } = await ask(() => pieces(40));
    expect([bytes, answer.headers['content-length']]).to.deep.equal([40 * 2 ** 20, undefined]);
    const zipped = await ask(() => pieces(40), { 'accept-encoding': 'gzip' });
    expect(zipped.answer.headers['content-encoding']).to.equal('gzip');
    expect(zipped.bytes).to.be.lessThan(2 ** 20);
  });

  it('is an error when it cannot be made before anything is sent, and breaks off later', async () => {
    const failure = new Error('cannot be written');
    const early = await ask(() => pieces(3, failure));
    expect([early.answer.statusCode, early.failed]).to.deep.equal([500, failure]);
    const late = await ask(() => pieces(20, failure));
    expect([late.answer.statusCode, late.bytes]).to.deep.equal([200, undefined]);
  });
});
