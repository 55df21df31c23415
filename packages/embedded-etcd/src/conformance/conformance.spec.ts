import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedEtcd } from '../server/start.ts';
import type { Entry } from './recorder.ts';
import { record, scenarioFiles } from './scenarios.ts';

/**
 * What etcd itself answered, message by message. Recorded with
 * `node packages/embedded-etcd/scripts/record-golden.ts` and an etcd binary.
 */
function golden(file: string): Record<string, Entry[]> {
  return JSON.parse(readFileSync(new URL(`golden/${file}.json`, import.meta.url), 'utf8')) as Record<string, Entry[]>;
}

describe('answers as etcd does', () => {
  for (const { file, scenarios } of scenarioFiles) {
    const expected = golden(file);
    for (const scenario of scenarios) {
      it(`${file}: ${scenario.name}`, async () => {
        const directory = await mkdtemp(join(tmpdir(), 'embedded-etcd-'));
        const server = await startEmbeddedEtcd({ dataFile: join(directory, 'data.db'), unsafeNoFsync: true });
        try {
          const entries = JSON.parse(JSON.stringify(await record(scenario, server.endpoint))) as Entry[];
          expect(expected[scenario.name], 'a recording of this scenario').to.be.an('array');
          for (const [index, entry] of (expected[scenario.name] ?? []).entries())
            expect(entries[index], `entry ${index}`).to.deep.equal(entry);
          expect(entries).to.have.length(expected[scenario.name]?.length ?? 0);
        } finally {
          await server.close();
          await rm(directory, { recursive: true });
        }
      });
    }
  }
});
