import { expect } from 'chai';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

const module = new URL('./temporary-folder.ts', import.meta.url).href;
const program = `
const { temporaryFolder } = await import(${JSON.stringify(module)});
process.stdout.write(temporaryFolder());
process.on('SIGTERM', () => process.exit(0));
setInterval(() => {}, 1000);
`;

describe('a folder for the life of a process', function () {
  this.timeout(60_000);
  for (const signal of ['SIGTERM', 'SIGKILL'] as const)
    it(`goes with it, when that is ended by ${signal}`, async () => {
      const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const folder = String(await new Promise((resolve) => child.stdout.once('data', resolve)));
      expect(existsSync(folder)).to.equal(true);
      const ended = new Promise((resolve) => child.once('close', resolve));
      child.kill(signal);
      await ended;
      const deadline = performance.now() + 30_000;
      while (existsSync(folder)) {
        if (performance.now() > deadline) throw new TypeError(`${folder} is still there`);
        await delay(20);
      }
    });
});
