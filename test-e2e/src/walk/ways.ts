import type { Client, WatchStream } from '../harness/client.ts';

/** What goes through a chain, and where its way is looked at. */
export interface Way {
  /** In which process: aggregator, kube-apiserver, apiextensions. */
  readonly process: 0 | 1 | 2;
  /** The way begins at the line after the one that begins with this text. `file` is below `packages`. */
  readonly from: { readonly file: string; readonly text: string };
  /** It ends where files of this name were seen last. */
  readonly until: RegExp;
  /** What a whole way passes close to its end. */
  readonly through: RegExp;
  /** How long the way may be: what was measured, and a step more. */
  readonly atMost: { readonly files: number; readonly returns: number };
  /** What has to be there before. `round`: a way may be gone several times in one chain, as new each time. */
  prepare(client: Client, round: number): Promise<unknown>;
  go(client: Client, prepared: unknown, round: number): Promise<unknown>;
}

const configMaps = '/api/v1/namespaces/default/configmaps';
const configMap = (name: string): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data: { a: 'b' },
});
const boatsOf = (round: number): string => `/apis/sea${round}.example.com/v1/namespaces/default/boats`;
const definition = (round: number): object => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `boats.sea${round}.example.com` },
  spec: {
    group: `sea${round}.example.com`,
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
});
const boat = (round: number): object => ({
  apiVersion: `sea${round}.example.com/v1`,
  kind: 'Boat',
  metadata: { name: 'one' },
  oars: 2,
});

/** A debugger needs its time. */
const patient = { timeoutMs: 300_000 };
const director = { file: 'apiserver/src/server/director.ts', text: '  #handle(' };
const handlers = /\/endpoints\/handlers\//;
const answer = /\/response\/write-bytes\.ts$/;

/** By name. */
export const ways: Readonly<Record<string, Way>> = {
  get: {
    process: 1,
    from: director,
    until: handlers,
    through: answer,
    atMost: { files: 28, returns: 36 },
    prepare: (client) => client.post(configMaps, configMap('warm')).then(() => client.get(`${configMaps}/warm`)),
    go: (client) => client.get(`${configMaps}/warm`, patient),
  },
  create: {
    process: 1,
    from: director,
    until: handlers,
    through: answer,
    atMost: { files: 50, returns: 120 },
    prepare: (client, round) => client.post(configMaps, configMap(`before-${round}`)),
    go: (client, _prepared, round) => client.post(configMaps, configMap(`new-${round}`), patient),
  },
  watch: {
    process: 1,
    from: { file: 'shared-storage/src/etcd3/watcher.ts', text: '  #receive(events' },
    // The write's answer may be read behind the event, on a connection of its own.
    until: /\/endpoints\/handlers\/watch/,
    through: /\/watch-response\.ts$/,
    atMost: { files: 25, returns: 42 },
    prepare: async (client, round) => {
      await client.post(configMaps, configMap(`warm-${round}`));
      const stream = await client.watch(`${configMaps}?watch=true&resourceVersion=0`);
      await stream.atLeast(1);
      return stream;
    },
    go: async (client, prepared, round) => {
      const stream = prepared as WatchStream;
      await Promise.all([
        client.post(configMaps, configMap(`seen-${round}`), patient),
        stream.atLeast(stream.events.length + 1, patient.timeoutMs),
      ]);
      stream.close();
    },
  },
  crd: {
    process: 2,
    from: director,
    until: handlers,
    through: answer,
    // Where the answer comes before the watch event, the reading of what was written is on the way: 2 files more.
    atMost: { files: 68, returns: 301 },
    prepare: async (client, round) => {
      await client.post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition(round));
      await client.until(boatsOf(round), ({ status }) => status === 200);
    },
    go: (client, _prepared, round) => client.post(boatsOf(round), boat(round), patient),
  },
};
