/**
 * Which workspace package may import which at run time: only downwards, and the three servers never each other. With a
 * path: only that entry point.
 */
export const allowedEdges: Readonly<Record<string, readonly string[]>> = {
  apimachinery: [],
  'component-helpers': ['apimachinery'],
  cel: ['apimachinery'],
  'embedded-etcd': [
    'apimachinery/message-of',
    'apimachinery/movable-clock',
    'apimachinery/followed-files',
    'apimachinery/wire',
  ],
  'shared-storage': ['apimachinery'],
  apiserver: ['apimachinery', 'component-helpers', 'cel', 'shared-storage'],
  'kube-apiserver': ['apimachinery', 'component-helpers', 'cel', 'shared-storage', 'apiserver'],
  apiextensions: ['apimachinery', 'cel', 'shared-storage', 'apiserver'],
  aggregator: ['apimachinery', 'shared-storage', 'apiserver'],
  controllers: [
    'apimachinery',
    'component-helpers',
    'apiserver/assembly',
    'apiserver/options',
    'apiserver/logging',
    'apiserver/certificates',
    'apiserver/tokens',
    'apiserver/streaming',
    'apiserver/type-checking',
    'apiserver/metrics',
    'apiserver/watchdog',
    'cel',
    'shared-storage/metrics',
    'shared-storage/unblocked-socket',
    'shared-storage/work-queue',
  ],
  kubechain: [
    'apimachinery',
    'shared-storage',
    'apiserver',
    'kube-apiserver',
    'apiextensions',
    'aggregator',
    'controllers',
    'embedded-etcd',
  ],
};

/** What specs may import besides: the embedded store, to test against. */
export const allowedInSpecs: readonly string[] = ['embedded-etcd', 'apimachinery', 'shared-storage'];

/**
 * The rooms of each package that put servers together, and may import `@kubechain/apiserver/servers` for that. All
 * others (resources, admission plugins, proxies) know nothing of the server that they are in.
 */
export const assemblyRooms: Readonly<Record<string, readonly string[]>> = {
  'kube-apiserver': ['bootstrap', 'server'],
  apiextensions: ['server'],
  aggregator: ['autoregister', 'discovery', 'openapi', 'peers', 'registration', 'routing', 'server'],
  kubechain: ['all-in-one'],
};
