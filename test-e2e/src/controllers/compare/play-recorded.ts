import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { resources } from '@kubechain/controllers';
import { eventually, type LiveCluster } from '../live-cluster.ts';
import { difference, type Lines } from './difference.ts';
import { observe } from './observe.ts';
import type { Play } from './plays.ts';
import { simulated, startPlay } from './start-play.ts';

const patient = { withinMs: 60_000 };

/** Tests that play each recorded scenario, and expect what was recorded. */
export function itEndsAsRecorded(play: Play): void {
  const { besides, compared, isCompared, kinds, recorded: file, scenarios } = play;
  const recorded = JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8')) as Readonly<
    Record<string, readonly (readonly [line: string, count: number])[]>
  >;
  let cluster: LiveCluster;
  const played = new Map<string, Promise<{ readonly namespace: string }>>();
  before(async () => {
    cluster = await startPlay(play, [...simulated, ...besides, ...compared]);
    // Side by side, since they mostly wait.
    const { client } = cluster;
    for (const [i, { name, play: begin }] of scenarios.entries()) {
      if (recorded[name] === undefined) continue;
      const namespace = `s${i}`;
      const done = (async () => {
        await client.resource(resources.namespaces).create({ metadata: { name: namespace } });
        await eventually(() => client.resource(resources.serviceaccounts).get({ namespace, name: 'default' }), patient);
        await begin({ client, namespace });
        return { namespace };
      })();
      done.catch(() => undefined);
      played.set(name, done);
    }
  });
  after(() => cluster.stop());

  for (const [name, lines] of Object.entries(recorded))
    it(name, async () => {
      const { namespace } = (await played.get(name)) ?? { namespace: '' };
      const look = async (): Promise<readonly string[]> => {
        const seen = await observe(cluster.client, namespace, kinds);
        const ours: Lines = new Map([...seen].filter(([line]) => isCompared(line)));
        return difference(ours, new Map(lines.filter(([line]) => isCompared(line))));
      };
      await eventually(async () => (await look()).length === 0, { withinMs: 15_000, everyMs: 200 }).catch(
        () => undefined,
      );
      expect(await look()).to.deep.equal([]);
    });
}
