// What the image's command takes of memory at rest, and how long it takes to end after it has worked for long:
//   npm run image-life -- [--minutes 60] [--rate 20] [--all-in-one]
// Follows the Dockerfile, runs what comes of it, has clients write, read and watch at that rate (rounds a second), lets
// it rest once more, since garbage is collected then, and ends it between their requests. Prints a line of JSON each
// minute, and for each rest and the end.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildImage } from '../harness/dockerfile.ts';
import { ImageProcess } from '../harness/image-process.ts';
import { Client } from '../harness/client.ts';
import { comesToRest } from './rest.ts';
import { Work } from './work.ts';
import { helpFrom } from '../harness/help.ts';

const MIB = 2 ** 20;
const SHORT_MS = 5_000;

helpFrom(import.meta.filename);
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    rate: { type: 'string', default: '20' },
    'all-in-one': { type: 'boolean', default: false },
  },
});
const folder = mkdtempSync(join(tmpdir(), 'kubechain-image-life-'));
const tell = (what: Readonly<Record<string, unknown>>): void => {
  console.log(JSON.stringify(what));
};
const mib = (bytes: number): number => Math.round(bytes / MIB);
try {
  const built = await buildImage(join(import.meta.dirname, '../../..'), folder);
  const image = await ImageProcess.start(built, values['all-in-one'] ? ['--topology=all-in-one'] : []);
  tell({ atRestMiB: mib(await comesToRest(image)) });
  const work = new Work(Client.fromKubeconfig(image.kubeconfig), Number(values.rate));
  for (let minute = 1; minute <= Number(values.minutes); minute++) {
    await work.goesOnFor(60_000);
    tell({ minute, rounds: work.rounds, failed: work.failed, memoryMiB: mib(image.memory()) });
  }
  tell({ minutes: Number(values.minutes), atRestAgainMiB: mib(await comesToRest(image)) });
  await work.goesOnFor(SHORT_MS);
  // It ends between requests, not at rest.
  const [ended] = await Promise.all([image.stop(), work.untilItEnds()]);
  tell({ minutes: Number(values.minutes), rounds: work.rounds, code: ended.code, endedMs: Math.round(ended.tookMs) });
} finally {
  rmSync(folder, { recursive: true, force: true });
}
