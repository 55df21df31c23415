import { expect } from 'chai';
import { createServer } from 'node:net';
import { freePort } from './free-port.ts';

describe('freePort', () => {
  it('gives ports that nobody is given who asks for any', async () => {
    for (let i = 0; i < 50; i++) expect(await freePort()).to.be.within(14_000, 23_999);
  });

  it('gives ports that can be listened on', async () => {
    const server = createServer();
    const port = await freePort();
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, '127.0.0.1', resolve);
    });
    await new Promise((resolve) => server.close(resolve));
  });
});
