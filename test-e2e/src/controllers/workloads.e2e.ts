import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { resources } from '@kubechain/controllers';
import { difference, isTelling, type Lines } from './compare/difference.ts';
import { observe } from './compare/observe.ts';
import { scenarios } from './compare/scenarios.ts';
import { eventually, startLiveCluster, type LiveCluster } from './live-cluster.ts';

const patient = { withinMs: 60_000 };
/** What kube-controller-manager 1.36.2 did: `compare/main.ts --record`; cron jobs apart, which go by the minute. */
const recorded = JSON.parse(readFileSync(new URL('compare/recorded.json', import.meta.url), 'utf8')) as Readonly<
  Record<string, readonly (readonly [line: string, count: number])[]>
>;

describe('workloads on played nodes end as with kube-controller-manager', () => {
  let cluster: LiveCluster;
  const played = new Map<string, Promise<{ readonly namespace: string }>>();
  before(async () => {
    cluster = await startLiveCluster({
      controllers: [
        'workloads',
        'kube-scheduler',
        'node-simulator',
        'volume-simulator',
        'persistentvolume-binder-controller',
        'persistentvolumeclaim-protection-controller',
        'resourcequota',
        'serviceaccount',
        'garbagecollector',
      ],
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
        const ours: Lines = new Map(
          [...(await observe(cluster.client, namespace))].filter(([line]) => isTelling(line)),
        );
        return difference(ours, new Map(lines.filter(([line]) => isTelling(line))));
      };
      await eventually(async () => (await look()).length === 0, { withinMs: 15_000, everyMs: 200 }).catch(
        () => undefined,
      );
      expect(await look()).to.deep.equal([]);
    });
});
