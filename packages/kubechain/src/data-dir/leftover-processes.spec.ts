import { expect } from 'chai';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDataDir, type DataDir } from './data-dir.ts';
import { waitForLeftovers } from './leftover-processes.ts';

describe('processes that a killed command has left', () => {
  let parent: string;
  let dir: DataDir;
  beforeEach(() => {
    parent = mkdtempSync(join(tmpdir(), 'kubechain-leftovers-'));
    dir = openDataDir(join(parent, 'data'));
  });
  afterEach(() => {
    rmSync(parent, { recursive: true });
  });

  it('are waited for, as long as their sockets answer', async () => {
    const server = createServer((socket) => socket.destroy());
    await new Promise<void>((resolve) => server.listen(join(dir.run, 'kube-apiserver.sock'), resolve));
    let closed = false;
    setTimeout(() => {
      closed = true;
      server.close();
    }, 200);
    await waitForLeftovers(dir);
    expect(closed).to.equal(true);
  });

  it('are not waited for for ever, nor are locks', async () => {
    const servers = ['etcd.sock', 'aggregator.lock.sock'].map((name) =>
      createServer((socket) => socket.destroy()).listen(join(dir.run, name)),
    );
    await waitForLeftovers(dir, 100);
    for (const server of servers) server.close();
    await waitForLeftovers(dir);
  });
});
