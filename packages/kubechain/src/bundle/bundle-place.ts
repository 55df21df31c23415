import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where a checkout keeps what can be made again: its bundles, and what Node compiled of them. */
export interface BundlePlace {
  /** Absolute path of the checkout. */
  readonly checkout: string;
  readonly cacheDirectory: string;
  /** Describes the newest bundle; replaced whole, after the bundle's files are there. */
  readonly manifestFile: string;
}

/** The place of a checkout; of the one that this file belongs to when none is named. */
export function bundlePlace(checkout = fileURLToPath(new URL('../../../../', import.meta.url))): BundlePlace {
  const cacheDirectory = join(checkout, 'node_modules', '.cache', 'kubechain');
  return { checkout, cacheDirectory, manifestFile: join(cacheDirectory, 'bundle.json') };
}

/**
 * What is run: the store, the three servers, the controllers, what is loaded before each of them, all servers as one
 * thread, with a port and without, and the tenants. By name, relative to the checkout.
 */
export const PROGRAMS: Readonly<Record<string, string>> = {
  etcd: 'packages/embedded-etcd/src/main.ts',
  'kube-apiserver': 'packages/kube-apiserver/src/main.ts',
  aggregator: 'packages/aggregator/src/main.ts',
  apiextensions: 'packages/apiextensions/src/main.ts',
  controllers: 'packages/controllers/src/main.ts',
  'envtest-etcd': 'packages/kubechain/src/envtest/etcd-main.ts',
  'envtest-kube-apiserver': 'packages/kubechain/src/envtest/kube-apiserver-main.ts',
  'child-guard': 'packages/kubechain/src/supervisor/child-guard.ts',
  'thread-main': 'packages/kubechain/src/all-in-one/thread-main.ts',
  'called-main': 'packages/kubechain/src/all-in-one/called-main.ts',
  tenants: 'packages/kubechain/src/all-in-one/tenants-main.ts',
};

/** The command, by name. */
export const COMMAND: Readonly<Record<string, string>> = { cli: 'packages/kubechain/src/cli/main.ts' };

/** The programs of an image, which are not asked for an envtest, and have the command built. */
export const IMAGE_PROGRAMS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(PROGRAMS).filter(([name]) => !name.startsWith('envtest-'))),
  ...COMMAND,
};

/** What starts import dynamically, for those that only ask for help: by start, relative to the checkout. */
export const STARTED: readonly (readonly string[])[] = [
  ['packages/embedded-etcd/src/server/main.ts', 'packages/embedded-etcd/src/server/run.ts'],
  ['packages/kube-apiserver/src/server/run.ts'],
  ['packages/aggregator/src/server/run.ts'],
  ['packages/apiextensions/src/server/run.ts'],
  [
    'packages/kubechain/src/cli/up.ts',
    ...['kube-apiserver', 'aggregator', 'apiextensions', 'controllers'].map((name) => `packages/${name}/src/flags.ts`),
  ],
];
