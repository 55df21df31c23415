import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { resources, type ResourceType } from '@kubechain/controllers';
import { eventually, startLiveCluster, type LiveCluster } from '../live-cluster.ts';
import { difference, type Lines } from './difference.ts';
import { observe } from './observe.ts';
import type { Scenario } from './scenarios.ts';

const patient = { withinMs: 60_000 };

export interface RecordedPlay {
  readonly scenarios: readonly Scenario[];
  /** In this folder: what kube-controller-manager 1.36.2 did, by `main.ts --record`. */
  readonly file: string;
  /** As `--controllers`; nodes are played besides. */
  readonly controllers: readonly string[];
  readonly kinds: readonly ResourceType<unknown>[];
  /** Lines that are compared. */
  readonly isCompared: (line: string) => boolean;
}

/** Tests that play each recorded scenario, and expect what was recorded. */
export function itEndsAsRecorded({ controllers, file, isCompared, kinds, scenarios }: RecordedPlay): void {
  const recorded = JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8')) as Readonly<
    Record<string, readonly (readonly [line: string, count: number])[]>
  >;
  let cluster: LiveCluster;
  const played = new Map<string, Promise<{ readonly namespace: string }>>();
  before(async () => {
    cluster = await startLiveCluster({
      controllers: ['kube-scheduler', 'node-simulator', 'volume-simulator', ...controllers],
      controllerFlags: (defaults) => ({ ...defaults, simulation: { ...defaults.simulation, nodes: 3 } }),
    });
    // Side by side, since they mostly wait.
    const { client } = cluster;
    for (const [i, { name, play }] of scenarios.entries()) {
      if (recorded[name] === undefined) continue;
      const namespace = `s${i}`;
      const done = (async () => {
        await client.resource(resources.namespaces).create({ metadata: { name: namespace } });
        await eventually(() => client.resource(resources.serviceaccounts).get({ namespace, name: 'default' }), patient);
        await play({ client, namespace });
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
