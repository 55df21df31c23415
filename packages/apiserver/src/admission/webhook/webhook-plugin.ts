import { timeoutError, type GroupVersionKind, type KubeObject } from '@kubechain/apimachinery';
import type { Authorizer } from '../../authorization/authorizer.ts';
import type { AdmissionAttributes, AdmissionOperation } from '../admission.ts';
import type { NamespaceLister } from '../namespace-lister.ts';
import { waitForReady } from '../wait-for-ready.ts';
import type { Followed } from '../wait-for-ready.ts';
import type { ReviewObjects } from './admission-review.ts';
import type { Hook } from './hook.ts';
import { isExemptFromAdmission } from './rules.ts';
import type { WebhookMetrics } from './webhook-metrics.ts';

/** Webhooks or policies, as a plugin gets them. */
export interface HookFeed<H> extends Followed {
  /** All of them. */
  hooks(): readonly H[];
  /** Those of files alone. Default: there are none. */
  ofManifests?(): readonly H[];
}

/** What both plugins are made of. */
export interface WebhookPluginOptions {
  readonly source: HookFeed<Hook>;
  readonly namespaces: NamespaceLister;
  readonly authorizer: Authorizer;
  readonly metrics: WebhookMetrics;
}

/** All of them: there are webhooks for everything. */
export function handlesAll(_operation: AdmissionOperation): boolean {
  return true;
}

/**
 * The webhooks or policies that may have a say in a request; only those of files for the configurations themselves.
 * Waits for the configurations if need be. @throws StatusError when they do not become known
 */
export function hooksFor<H>(
  attributes: AdmissionAttributes,
  source: HookFeed<H>,
  isExempt = isExemptFromAdmission(attributes.kind),
): readonly H[] | Promise<readonly H[]> {
  if (isExempt) return source.ofManifests?.() ?? [];
  return waitForReady(attributes, source)?.then(() => source.hooks()) ?? source.hooks();
}

/** @throws StatusError when the client is gone or its time is over */
export function checkTime({ signal }: AdmissionAttributes): void {
  if (signal.aborted) throw timeoutError('request did not complete within requested timeout', 0);
}

/** The objects of a request in one version, for whoever calls webhooks. */
export async function reviewObjects(attributes: AdmissionAttributes, kind: GroupVersionKind): Promise<ReviewObjects> {
  const text = async (object: KubeObject | undefined): Promise<string> =>
    object === undefined ? 'null' : attributes.objects.encode(object, kind);
  const [object, oldObject] = await Promise.all([text(attributes.object), text(attributes.oldObject)]);
  return { object, oldObject };
}
