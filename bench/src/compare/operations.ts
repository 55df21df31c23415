import type { Client } from '../requests/client.ts';
import { openWatches } from '../requests/fan-out.ts';
import { callFor, timed, type Took } from '../requests/measure.ts';
import { configMap, configMaps, defineThings, thing, things } from '../requests/objects.ts';

const pods = '/api/v1/namespaces/default/pods';
const objects = 500;
const inTable = { Accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };
const mergePatch = { 'Content-Type': 'application/merge-patch+json' };

/** One row: what is asked, and how many at a time. */
export interface Operation {
  readonly name: string;
  /**
   * Units of the calibration loop that one may take, of the chain alone: twice what a machine shows that has nothing
   * else to do, or somewhat more where a busy one came near that.
   */
  readonly mostUnits: number;
  /** Makes what must be there before, which is not measured. `run` is a label that was not used before. */
  prepare(client: Client, run: string): Promise<Prepared>;
}

/** An operation that can begin. */
export interface Prepared {
  /**
   * Resolves to how many were done, in about that time. `took` is told how many milliseconds it was from asking for
   * some of them until they were there.
   */
  work(forMs: number, took: Took): Promise<number>;
  close(): void;
}

/** Those that are measured. */
export const operations: readonly Operation[] = [
  repeated('GET config map', { connections: 32, mostUnits: 52 }, (client, i) =>
    client.call('GET', `${configMaps}/object-${i % objects}`),
  ),
  repeated('GET config map, 1 connection', { connections: 1, mostUnits: 300 }, (client, i) =>
    client.call('GET', `${configMaps}/object-${i % objects}`),
  ),
  repeated('GET custom resource', { connections: 32, mostUnits: 62 }, (client, i) =>
    client.call('GET', `${things}/object-${i % objects}`),
  ),
  repeated('LIST of 500 config maps', { connections: 8, mostUnits: 600 }, (client) =>
    client.call('GET', `${configMaps}?labelSelector=app%3Dbench`),
  ),
  repeated('LIST of 500 pods', { connections: 8, mostUnits: 1500 }, (client) => client.call('GET', pods)),
  repeated('LIST of 50 of 500 pods by label', { connections: 8, mostUnits: 250 }, (client) =>
    client.call('GET', `${pods}?labelSelector=tenth%3D3`),
  ),
  repeated('LIST of 50 of 500 pods by node', { connections: 8, mostUnits: 400 }, (client) =>
    client.call('GET', `/api/v1/pods?fieldSelector=spec.nodeName%3Dnode-3`),
  ),
  repeated('LIST of 500 custom resources', { connections: 8, mostUnits: 830 }, (client) =>
    client.call('GET', `${things}?labelSelector=app%3Dbench`),
  ),
  repeated('Table of 500 pods', { connections: 4, mostUnits: 930 }, (client) =>
    client.call('GET', pods, undefined, inTable),
  ),
  repeated('create config map', { connections: 32, mostUnits: 116 }, (client, i, run) =>
    client.call('POST', configMaps, created(configMap(`${run}-${i}`))),
  ),
  repeated('create custom resource', { connections: 32, mostUnits: 142 }, (client, i, run) =>
    client.call('POST', things, created(thing(`${run}-${i}`))),
  ),
  repeated('merge patch of a config map', { connections: 8, mostUnits: 196 }, (client, i, run) =>
    client.call('PATCH', `${configMaps}/object-${i % objects}`, `{"data":{"run":"${run}-${i}"}}`, mergePatch),
  ),
  {
    name: 'event to one of 100 watches',
    mostUnits: 3,
    prepare: async (client, run) => {
      const watches = await openWatches(client, { run, watches: 100 });
      return {
        work: async (forMs, took) => {
          const deadline = performance.now() + forMs;
          let events = 0;
          do events += await watches.follow({ writes: 200, writers: 8, took });
          while (performance.now() < deadline);
          return events;
        },
        close: () => {
          watches.close();
        },
      };
    },
  },
];

/** Makes what the operations ask for. */
export async function seed(client: Client): Promise<void> {
  await client.call('POST', '/api/v1/namespaces/default/serviceaccounts', serviceAccount).catch(() => undefined);
  await defineThings(client, created(thing('first')));
  for (let from = 0; from < objects; from += 10)
    await Promise.all(
      Array.from({ length: 10 }, async (_, i) => {
        const name = `object-${from + i}`;
        await client.call('POST', configMaps, configMap(name));
        await client.call('POST', things, thing(name));
        await client.call('POST', pods, pod(name, i));
      }),
    );
}

function repeated(
  name: string,
  { connections, mostUnits }: { readonly connections: number; readonly mostUnits: number },
  call: (client: Client, index: number, run: string) => Promise<unknown>,
): Operation {
  return {
    name,
    mostUnits,
    prepare: (client, run) =>
      Promise.resolve({
        work: (forMs, took) =>
          callFor(
            forMs,
            connections,
            timed((index) => call(client, index, run), took),
          ),
        close: () => undefined,
      }),
  };
}

const serviceAccount = JSON.stringify({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } });

/** Not in the lists. */
const created = (object: string): string => object.replace('"app":"bench"', '"app":"other"');

/** About 3 KiB when it is stored. */
function pod(name: string, tenth: number): string {
  const container = {
    name: 'main',
    image: 'registry.example/app:1.2.3',
    args: ['--a=1', '--b=2'],
    env: Array.from({ length: 6 }, (_, i) => ({ name: `VARIABLE_${i}`, value: `value ${i}` })),
    ports: [{ containerPort: 8080, name: 'http' }],
    resources: { requests: { cpu: '100m', memory: '128Mi' }, limits: { cpu: '1', memory: '512Mi' } },
    readinessProbe: { httpGet: { path: '/healthz', port: 8080 } },
  };
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, labels: { app: 'bench', tenth: String(tenth) } },
    spec: { nodeName: `node-${tenth}`, containers: [container, { name: 'side', image: 'registry.example/side:4.5' }] },
  });
}
