import { expect } from 'chai';
import { FakeClock } from '@kubechain/apimachinery/testing';
import { Client } from './client.ts';
import { resources } from './resources.ts';

describe('ResourceClient', () => {
  it('deletes a collection of more bytes than a text can have, which is told in answer', async () => {
    const piece = Buffer.alloc(1 << 20, '{"a":"b"},');
    const asked: string[] = [];
    let sent = 0;
    async function* body(): AsyncGenerator<Uint8Array> {
      for (; sent < 600; sent++) yield piece;
    }
    const client = new Client({
      transport: {
        send: ({ method, path }) => {
          asked.push(`${method} ${path}`);
          return Promise.resolve({ status: 200, headers: {}, body: body() });
        },
        close: () => undefined,
      },
      userAgent: 'spec',
      clock: new FakeClock(),
    });
    await client.resource(resources.configmaps).deleteCollection({ namespace: 'a' });
    expect(asked).to.deep.equal(['DELETE /api/v1/namespaces/a/configmaps']);
    // To its end: a stream that is left is a request that was cancelled.
    expect(sent).to.equal(600);
  });
});
