import { expect } from 'chai';
import { spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { ResourceServer } from '../../testing/resource-server.ts';

const objects = 2_000;
const objectBytes = 5 * 1024;
/** Together their lists are half as large again as what memory may grow by. */
const clients = 3;

/** Heap and buffers in use, garbage included. */
function memory(): number {
  const { external, heapUsed } = process.memoryUsage();
  return heapUsed + external;
}

describe('a long list', () => {
  let server: ResourceServer;
  let url: string;
  before(async function fill() {
    this.timeout(120_000);
    server = new ResourceServer();
    server.install({
      group: '',
      plural: 'configmaps',
      singular: 'configmap',
      kind: 'ConfigMap',
      namespaced: true,
      memoryVersion: { group: '', version: 'v1' },
    });
    url = await server.listen();
    const body = (i: number): string =>
      JSON.stringify({ metadata: { name: `c-${i}` }, data: { padding: 'x'.repeat(objectBytes) } });
    for (let i = 0; i < objects; i += 50) {
      await Promise.all(
        Array.from({ length: 50 }, async (_, j) =>
          (
            await fetch(`${url}/api/v1/namespaces/a/configmaps`, {
              method: 'POST',
              headers: { 'content-type': 'application/json' },
              body: body(i + j),
            })
          ).arrayBuffer(),
        ),
      );
    }
  });
  after(() => server.close());

  it('goes to slow clients without being held in memory', async function read() {
    this.timeout(120_000);
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    let growth = Infinity;
    // Once is enough: what is held is held each time, garbage is not.
    for (let tries = 0; tries < 3 && growth >= 20e6; tries++) {
      for (let i = 0; i < 3; i++) {
        collect();
        await delay(20);
      }
      const start = memory();
      let peak = start;
      const sampler = setInterval(() => {
        peak = Math.max(peak, memory());
      }, 1);
      const received = await readSlowly(`${url}/api/v1/namespaces/a/configmaps`);
      clearInterval(sampler);
      expect(received).to.have.length(clients);
      for (const bytes of received) expect(bytes).to.be.greaterThan(objects * objectBytes);
      growth = peak - start;
    }
    expect(growth / 1e6, 'MB').to.be.below(20);
  });
});

/**
 * Several clients in a process of their own, where their memory is not ours: each takes about 1 MiB every 30 ms.
 * Resolves to the bytes of each.
 */
async function readSlowly(url: string): Promise<readonly number[]> {
  const script = `
    const read = (url) => new Promise((resolve) => require('node:http').get(url, async (response) => {
      let bytes = 0;
      for await (const chunk of response) {
        if ((bytes + chunk.length) >> 20 !== bytes >> 20) await new Promise((next) => setTimeout(next, 30));
        bytes += chunk.length;
      }
      resolve(bytes);
    }));
    Promise.all(Array.from({ length: ${clients} }, () => read(${JSON.stringify(url)}))).then((all) => console.log(JSON.stringify(all)));`;
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  for await (const chunk of child.stdout) output += String(chunk);
  return JSON.parse(output) as readonly number[];
}
