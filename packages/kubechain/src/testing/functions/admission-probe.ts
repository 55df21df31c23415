import { setTimeout as delay } from 'node:timers/promises';
import { LaunchError } from '../../launch-error.ts';
import type { JSONClient } from '../json-client.ts';
import { probeDefinition } from '../probe-definition.ts';

/** Label of objects by whose dry runs it is seen which webhooks servers know. */
export const probeLabel = 'kubechain.test/probe';

const longestWaitMs = 30_000;
const lookMs = 5;

/** One object of each server of the chain, made as a dry run. */
const probes: readonly { readonly path: string; readonly body: (metadata: object) => object }[] = [
  { path: '/api/v1/namespaces/default/configmaps', body: (metadata) => ({ metadata }) },
  {
    path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
    body: (metadata) => ({
      metadata: { ...metadata, name: 'probes.kubechain.test' },
      spec: probeDefinition,
    }),
  },
  {
    path: '/apis/apiregistration.k8s.io/v1/apiservices',
    body: (metadata) => ({
      metadata: { ...metadata, name: 'v1.probe.kubechain.test' },
      spec: { group: 'probe.kubechain.test', version: 'v1', groupPriorityMinimum: 1, versionPriority: 1 },
    }),
  },
];

/**
 * Servers learn of webhook configurations from storage, each when it gets to it. A probe is a further webhook in a
 * configuration, which is called for objects of its own alone: the servers that call it have the configuration.
 */
export class AdmissionProbe {
  readonly #client: JSONClient;
  readonly #id: string;
  #calls = 0;

  constructor(client: JSONClient, id: string) {
    this.#client = client;
    this.#id = id;
  }

  /** For the configuration. */
  webhook(clientConfig: object): object {
    return {
      name: 'probe.kubechain.test',
      clientConfig,
      failurePolicy: 'Ignore',
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
      objectSelector: { matchLabels: { [probeLabel]: this.#id } },
      rules: [
        {
          apiGroups: ['*'],
          apiVersions: ['*'],
          operations: ['CREATE'],
          resources: ['configmaps', 'customresourcedefinitions', 'apiservices'],
        },
      ],
    };
  }

  /** A server has called it. */
  called(): void {
    this.#calls++;
  }

  /** Resolves when all servers call it, or none does. @throws LaunchError when it does not come to that */
  async settled(known: boolean): Promise<void> {
    const deadline = performance.now() + longestWaitMs;
    for (const probe of probes)
      while ((await this.#isCalledFor(probe)) !== known) {
        if (performance.now() > deadline)
          throw new LaunchError('Timeout', `servers ${known ? 'do not call' : 'still call'} a webhook: ${probe.path}`);
        await delay(lookMs);
      }
  }

  async #isCalledFor({ body, path }: (typeof probes)[number]): Promise<boolean> {
    const before = this.#calls;
    const metadata = { name: 'probe.kubechain.test', labels: { [probeLabel]: this.#id } };
    // Others may refuse it; it is enough to be asked.
    await this.#client
      .send({ method: 'POST', path: `${path}?dryRun=All`, body: body(metadata) })
      .catch(() => undefined);
    return this.#calls > before;
  }
}
