import {
  emptyDelegate,
  genericPlugins,
  offeredPlugins,
  openGenericServer,
  openServerParts,
  openStoredResources,
} from '@kubechain/apiserver/servers';
import type {
  AssembledServer,
  AssemblyInput,
  GenericServer,
  ServerParts,
  StoredResources,
} from '@kubechain/apiserver/servers';
import type { FlagValues } from '@kubechain/apiserver/options';
import { whenAborted } from '@kubechain/apimachinery';
import { WorkQueueMetrics } from '@kubechain/shared-storage/metrics';
import { objectRulesOf } from '../cel/object-rules.ts';
import { CelMetrics } from '../cel/cel-metrics.ts';
import { celRuleCheckerOf } from '../cel/cel-rule-checker.ts';
import { ConversionMetrics } from '../conversion/conversion-metrics.ts';
import { webhookConverterOf } from '../conversion/webhook-converter-of.ts';
import { CRDController } from '../crd/crd-controller.ts';
import { createCRDRegistry } from '../crd/crd-rest.ts';
import { RegisteredVersions } from '../crd/registered-versions.ts';
import type { flagSets } from '../flags.ts';
import { laterDefinitions } from './later-definitions.ts';
import { onceRead } from './once-read.ts';

const group = 'apiextensions.k8s.io';

/** The plugins that CRDs and custom resources go through. */
const plugins = offeredPlugins(genericPlugins);

/** Values of apiextensions' flags. */
export type APIExtensionsValues = { readonly [K in keyof typeof flagSets]: FlagValues<(typeof flagSets)[K]> };
type Input = AssemblyInput<APIExtensionsValues>;

/** Puts an apiextensions server together: CRDs, and whatever they define. @throws OptionsError */
export async function assembleAPIExtensions(input: Input): Promise<AssembledServer> {
  const parts = await openServerParts(input, { server: 'apiextensions', delegate: 'nobody' });
  const stored = openStoredResources(input, parts.storage, parts.release);
  const { clock, sideSocket } = input.environment;
  const definitions = { known: false };
  // A custom resource is not answered 404 by a server that has not read its definition yet.
  const end = emptyDelegate({ complete: () => definitions.known });
  const generic: GenericServer = openGenericServer(input, {
    name: 'apiextensions',
    parts,
    storages: stored,
    plugins,
    pluginEnvironment: (admission) => admission,
    delegate: sideSocket === undefined ? end : laterDefinitions(() => generic.server, { clock, end }),
  });
  const synced = serveCRDs(input, { parts, stored, generic });
  generic.server.installed = onceRead(synced, input.environment.signal).then(() => {
    definitions.known = true;
  });
  addHooks(generic);
  return { server: generic.server, url: parts.url };
}

interface CRDParts {
  readonly parts: ServerParts;
  readonly stored: StoredResources;
  readonly generic: GenericServer;
}

/**
 * Serves CRDs at once. Resolves when what is defined is served, which is never while a stored CRD cannot be read, or
 * when the server is told to stop.
 */
function serveCRDs({ assembly, environment }: Input, { generic, parts, stored }: CRDParts): Promise<void> {
  const { admission, server } = generic;
  const { clock, randomness, signal } = environment;
  const { restOptions } = parts.storage;
  const conversions = new ConversionMetrics(parts.metrics);
  const cel = new CelMetrics(parts.metrics);
  const registered = new RegisteredVersions(stored.get('apiregistration.k8s.io', 'apiservices'), { clock });
  const controller = new CRDController({
    installer: server.installer,
    clock,
    registered: (crd, stop) => registered.wait(crd, stop),
    queueMetrics: new WorkQueueMetrics(clock, parts.metrics),
    customResources: {
      restOptions,
      cbor: server.config.cbor,
      environment: { clock, ...randomness, release: parts.release },
      webhookConverter: (crd) =>
        webhookConverterOf(crd, { services: admission.services, metrics: conversions, newUID: randomness.newUID }),
      rules: { extraRules: objectRulesOf(parts.release, cel), ratcheting: cel.ratcheting, release: parts.release },
    },
  });
  const crds = assembly.open(
    'CRD storage',
    () =>
      createCRDRegistry(
        restOptions,
        {
          clock,
          ...randomness,
          release: parts.release,
          rules: celRuleCheckerOf({ metrics: cel, release: parts.release }),
        },
        controller,
      ),
    (registry) => registry.store.close(),
  );
  server.installAPIGroups([
    {
      group,
      prioritizedVersions: ['v1'],
      versionedResources: new Map([['v1', crds.endpoints]]),
      scheme: crds.store.spec.scheme,
    },
  ]);
  assembly.open(
    'CRD controller',
    () => controller,
    (opened) => opened.stop(),
  );
  return controller.start(crds.store, signal);
}

/** Post-start hooks under the reference's names. */
function addHooks({ admission, server }: GenericServer): void {
  server.addPostStartHook('start-apiextensions-informers', ({ signal }) => admission.waitForSync(signal));
  for (const name of ['start-apiextensions-controllers', 'crd-informer-synced'])
    server.addPostStartHook(name, ({ signal }) => Promise.race([server.installed, whenAborted(signal)]));
}
