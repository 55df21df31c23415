/**
 * Which workspace package may import which at run time: only downwards, and the three servers never each other. With a
 * path: only that entry point.
 */
export const allowedEdges: Readonly<Record<string, readonly string[]>> = {
  apimachinery: [],
  'embedded-etcd': [],
  'shared-storage': ['apimachinery'],
  apiserver: ['apimachinery', 'shared-storage'],
  'kube-apiserver': ['apimachinery', 'shared-storage', 'apiserver'],
  apiextensions: ['apimachinery', 'shared-storage', 'apiserver'],
  aggregator: ['apimachinery', 'shared-storage', 'apiserver'],
  controllers: ['apimachinery', 'apiserver/options'],
  kubechain: [
    'apimachinery',
    'shared-storage',
    'apiserver',
    'kube-apiserver',
    'apiextensions',
    'aggregator',
    'embedded-etcd',
  ],
};

/** What specs may import besides: the embedded store, to test against. */
export const allowedInSpecs: readonly string[] = ['embedded-etcd', 'apimachinery', 'shared-storage'];
