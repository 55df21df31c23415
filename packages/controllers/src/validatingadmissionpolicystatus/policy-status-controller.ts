import type { ValidatingAdmissionPolicy } from '@kubechain/apimachinery/types/admissionregistration/v1';
import { runWorkers, WorkQueue } from '@kubechain/shared-storage/work-queue';
import { resources } from '../client/resources.ts';
import type { Controller, ControllerContext } from '../controller/controller.ts';
import type { DiscoveredResource } from '../discovery/discovery.ts';
import { keyOf } from '../informers/object-key.ts';
import type { SharedInformer } from '../informers/shared-informer.ts';
import { kindsToCheck, type GroupVersionKind } from './kinds-to-check.ts';
import type { PublishedTypes } from './published-schemas.ts';

/**
 * So often a policy is put back, over 80 s, while a kind is served of which no document tells: one that has just been
 * defined. Extension API servers need not publish any.
 */
const mostWaits = 14;
const fieldManager = 'validatingadmissionpolicy-status-controller';

/**
 * Checks the expressions of ValidatingAdmissionPolicies against the types that they match, and tells what it finds in
 * `status.typeChecking` (pkg/controller/validatingadmissionpolicystatus, 1.36).
 */
export class PolicyStatusController implements Controller {
  readonly #context: ControllerContext;
  readonly #policies: SharedInformer<ValidatingAdmissionPolicy>;
  readonly #queue: WorkQueue;
  #types: PublishedTypes | undefined;

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#queue = new WorkQueue({
      clock: context.clock,
      metrics: context.queueMetrics,
      name: 'validatingadmissionpolicy-status',
    });
    this.#policies = context.informers.informer(resources.validatingadmissionpolicies);
    const add = (policy: ValidatingAdmissionPolicy): void => this.#queue.add(keyOf(policy));
    this.#policies.addHandlers({ onAdd: add, onUpdate: add });
  }

  async run(signal: AbortSignal): Promise<void> {
    await this.#policies.waitForSync(signal);
    await runWorkers({
      queue: this.#queue,
      workers: this.#context.flags.concurrency['concurrent-validating-admission-policy-status-syncs'],
      signal,
      sync: (key) => this.#sync(key),
      onError: (error, policy) => this.#context.log.error('cannot check the types of a policy', error, { policy }),
    });
  }

  async #sync(key: string): Promise<void> {
    const policy = this.#policies.get(key);
    const { generation = 0, name = '' } = policy?.metadata ?? {};
    if (policy === undefined || generation <= (policy.status?.observedGeneration ?? 0)) return;
    const { client, discovery } = this.#context;
    // Expressions are a large part of a program, and most clusters have no policy.
    const [{ checkPolicy }, { PublishedTypes }] = await Promise.all([
      import('./check-policy.ts'),
      import('./published-schemas.ts'),
    ]);
    this.#types ??= new PublishedTypes(client);
    const { resources: served } = await discovery.allResources();
    const kinds = kindsToCheck(policy, served);
    const paramKind = paramKindOf(policy);
    const asked = paramKind === undefined ? kinds : [...kinds, paramKind];
    const waits = this.#queue.numRequeues(key) < mostWaits;
    const types = await this.#types.of(asked, waits ? asked.filter((gvk) => isServed(gvk, served)) : []);
    const objects = kinds.flatMap((gvk, i) => {
      const type = types[i];
      return type === undefined ? [] : [{ gvk, type }];
    });
    const params = types[kinds.length];
    const expressionWarnings = await checkPolicy(policy, { objects, params });
    await client.resource(resources.validatingadmissionpolicies).apply(
      {
        metadata: { name },
        status: {
          observedGeneration: generation,
          typeChecking: expressionWarnings.length === 0 ? {} : { expressionWarnings },
        },
      } as ValidatingAdmissionPolicy,
      { fieldManager, force: true, subresource: 'status' },
    );
  }
}

function isServed({ group, kind, version }: GroupVersionKind, served: readonly DiscoveredResource[]): boolean {
  return served.some((each) => each.group === group && each.version === version && each.kind === kind);
}

function paramKindOf({ spec }: ValidatingAdmissionPolicy): GroupVersionKind | undefined {
  const { apiVersion = '', kind = '' } = spec?.paramKind ?? {};
  if (kind === '' || apiVersion === '') return undefined;
  const slash = apiVersion.indexOf('/');
  return { group: slash < 0 ? '' : apiVersion.slice(0, slash), version: apiVersion.slice(slash + 1), kind };
}
