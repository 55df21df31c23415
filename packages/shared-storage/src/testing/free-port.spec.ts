import { expect } from 'chai';
import { execFile } from 'node:child_process';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from './free-port.ts';

describe('freePort', () => {
  it('gives each port once, also to other processes, while this one lives', async () => {
    const module = join(import.meta.dirname, 'free-port.ts');
    const script =
      `const { freePort } = await import(${JSON.stringify(module)}); const ports = []; for (let i = 0; i < 50; ` +
      'i++) ports.push(await freePort()); console.log(JSON.stringify(ports));';
    const own = await Promise.all(Array.from({ length: 50 }, () => freePort()));
    const others = JSON.parse(
      (await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script])).stdout,
    ) as number[];
    expect(new Set([...own, ...others])).to.have.lengthOf(100);
    for (const port of [...own, ...others]) expect(port >= 24_000 && port < 32_000, String(port)).to.equal(true);
  });

  it('can be listened on', async () => {
    const server = createServer();
    const port = await freePort();
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, '127.0.0.1', resolve);
    });
    await new Promise((resolve) => server.close(resolve));
  });
});
