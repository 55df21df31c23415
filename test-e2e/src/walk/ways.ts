import type { Client, WatchStream } from '../harness/client.ts';

/** What goes through a chain, and where its way is looked at. */
export interface Way {
  /** In which process: aggregator, kube-apiserver, apiextensions. */
  readonly process: 0 | 1 | 2;
  /** The way begins at the line after the one that begins with this text. `file` is below `packages`. */
  readonly from: { readonly file: string; readonly text: string };
  /** It ends where files of this name were seen last. */
  readonly until: RegExp;
  /** How long the way may be: what was measured, with room for an await that is settled in another turn. */
  readonly atMost: { readonly files: number; readonly returns: number };
  /** What has to be there before. */
  prepare(client: Client): Promise<unknown>;
  go(client: Client, prepared: unknown): Promise<unknown>;
}

const configMaps = '/api/v1/namespaces/default/configmaps';
const configMap = (name: string): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data: { a: 'b' },
});
const boats = '/apis/sea.example.com/v1/namespaces/default/boats';
const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'boats.sea.example.com' },
  spec: {
    group: 'sea.example.com',
    scope: 'Namespaced',
    names: { plural: 'boats', singular: 'boat', kind: 'Boat', listKind: 'BoatList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', properties: { oars: { type: 'integer', minimum: 1 } } } },
      },
    ],
  },
};
const boat = { apiVersion: 'sea.example.com/v1', kind: 'Boat', metadata: { name: 'one' }, oars: 2 };

/** A debugger needs its time. */
const patient = { timeoutMs: 300_000 };
const director = { file: 'apiserver/src/server/director.ts', text: '  #handle(' };
const handlers = /\/endpoints\/handlers\//;

/** By name. */
export const ways: Readonly<Record<string, Way>> = {
  get: {
    process: 1,
    from: director,
    until: handlers,
    atMost: { files: 29, returns: 35 },
    prepare: (client) => client.post(configMaps, configMap('warm')).then(() => client.get(`${configMaps}/warm`)),
    go: (client) => client.get(`${configMaps}/warm`, patient),
  },
  create: {
    process: 1,
    from: director,
    until: handlers,
    atMost: { files: 50, returns: 100 },
    prepare: (client) => client.post(configMaps, configMap('before')),
    go: (client) => client.post(configMaps, configMap('new'), patient),
  },
  watch: {
    process: 1,
    from: { file: 'shared-storage/src/etcd3/watcher.ts', text: '  #receive(events' },
    until: handlers,
    atMost: { files: 26, returns: 39 },
    prepare: async (client) => {
      await client.post(configMaps, configMap('warm'));
      const stream = await client.watch(`${configMaps}?watch=true&resourceVersion=0`);
      await stream.atLeast(1);
      return stream;
    },
    go: async (client, prepared) => {
      const stream = prepared as WatchStream;
      await Promise.all([
        client.post(configMaps, configMap('seen'), patient),
        stream.atLeast(stream.events.length + 1, patient.timeoutMs),
      ]);
      stream.close();
    },
  },
  crd: {
    process: 2,
    from: director,
    until: handlers,
    atMost: { files: 65, returns: 248 },
    prepare: async (client) => {
      await client.post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition);
      await client.until(boats, ({ status }) => status === 200);
    },
    go: (client) => client.post(boats, boat, patient),
  },
};
