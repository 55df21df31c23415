import { expect } from 'chai';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensurePKI } from '../pki/pki.ts';
import { askReadyz } from './ask-readyz.ts';

describe('asking a server whether it is ready', () => {
  const answers: [number, string, unknown][] = [
    [200, 'ok', { kind: 'ready' }],
    [
      500,
      '[+]ping ok\n[-]etcd failed: reason withheld\n[-]informer-sync failed: reason withheld\nreadyz check failed\n',
      { kind: 'unready', failing: 'etcd, informer-sync' },
    ],
    [503, 'nobody is here', { kind: 'unready', failing: 'readyz answers 503' }],
  ];
  it('hears which checks do not hold', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'kubechain-readyz-'));
    const { serving } = await ensurePKI(folder, { nowMs: Date.now() });
    let answer = answers[0]!;
    const server = createServer(
      { cert: readFileSync(serving.certFile), key: readFileSync(serving.keyFile) },
      (_, response) => response.writeHead(answer[0]).end(answer[1]),
    );
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = { server: `https://127.0.0.1:${(server.address() as AddressInfo).port}` };
    const caFile = join(folder, 'ca.crt');
    for (answer of answers) expect(await askReadyz(address, caFile)).to.deep.equal(answer[2]);
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
    expect(await askReadyz(address, caFile))
      .to.have.property('failing')
      .that.contains('ECONNREFUSED');
    rmSync(folder, { recursive: true });
  });
});
