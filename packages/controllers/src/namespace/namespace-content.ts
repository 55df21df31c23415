import { isMethodNotSupported, isNotFound, parseTime, type Clock } from '@kubechain/apimachinery';
import type { PartialObjectMetadata } from '@kubechain/apimachinery/types/meta/v1';
import type { Client } from '../client/client.ts';
import type { ResourceType } from '../client/resource-type.ts';
import { resources } from '../client/resources.ts';
import type { DiscoveredResource } from '../discovery/discovery.ts';
import type { Remaining } from './namespace-conditions.ts';

/** How long what finalizers hold is expected to stay. */
const FINALIZER_SECONDS = 15;

export interface ContentOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly namespace: string;
  /** When the namespace was deleted. */
  readonly deletedAt: string;
}

/** How a resource's content went. */
export interface ContentLeft {
  /** Seconds until it may be gone. */
  readonly estimateSeconds: number;
  readonly remaining: Remaining | undefined;
  readonly error: unknown;
}

/**
 * Deletes all objects of a resource in a namespace, and tells what is still there
 * (deletion/namespaced_resources_deleter.go). Never rejects.
 */
export async function deleteContent(resource: DiscoveredResource, options: ContentOptions): Promise<ContentLeft> {
  let estimateSeconds = 0;
  try {
    if (resource.group === '' && resource.resource === 'pods') estimateSeconds = await podGraceSeconds(options);
    if (!(await deleteAtOnce(resource, options))) await deleteOneByOne(resource, options);
    const left = await list(resource, options);
    if (left === undefined) return { estimateSeconds, remaining: undefined, error: undefined };
    if (left.length === 0) return { estimateSeconds: 0, remaining: undefined, error: undefined };
    const finalizers = new Map<string, number>();
    for (const { metadata } of left)
      for (const finalizer of metadata?.finalizers ?? [])
        finalizers.set(finalizer, (finalizers.get(finalizer) ?? 0) + 1);
    const remaining = { resource: `${resource.resource}.${resource.group}`, count: left.length, finalizers };
    if (estimateSeconds !== 0) return { estimateSeconds, remaining, error: undefined };
    if (finalizers.size > 0) return { estimateSeconds: FINALIZER_SECONDS, remaining, error: undefined };
    const name = `${resource.group}/${resource.version}, Resource=${resource.resource}`;
    return {
      estimateSeconds,
      remaining,
      error: new Error(`unexpected items still remain in namespace: ${options.namespace} for gvr: ${name}`),
    };
  } catch (error) {
    return { estimateSeconds, remaining: undefined, error };
  }
}

/** False when the resource has no such verb. */
async function deleteAtOnce(resource: DiscoveredResource, { client, namespace }: ContentOptions): Promise<boolean> {
  if (!resource.verbs.includes('deletecollection')) return false;
  try {
    await client.resource(resource).deleteCollection({ namespace }, { propagationPolicy: 'Background' });
    return true;
  } catch (error) {
    if (isMethodNotSupported(error) || isNotFound(error)) return false;
    throw error;
  }
}

async function deleteOneByOne(resource: DiscoveredResource, options: ContentOptions): Promise<void> {
  const { client, namespace } = options;
  for (const { metadata } of (await list(resource, options)) ?? []) {
    try {
      await client
        .resource(resource)
        .delete({ namespace, name: metadata?.name ?? '' }, { propagationPolicy: 'Background' });
    } catch (error) {
      if (!isNotFound(error) && !isMethodNotSupported(error)) throw error;
    }
  }
}

/** Undefined when the resource cannot be listed. */
async function list(
  resource: DiscoveredResource,
  { client, namespace }: ContentOptions,
): Promise<readonly PartialObjectMetadata[] | undefined> {
  if (!resource.verbs.includes('list')) return undefined;
  try {
    const metadata = resource as ResourceType<PartialObjectMetadata>;
    return (await client.resource(metadata).listAll({ namespace, metadataOnly: true })).items;
  } catch (error) {
    if (isMethodNotSupported(error) || isNotFound(error)) return undefined;
    throw error;
  }
}

/** The longest grace of the pods that are still running; 0 when it should be over. */
async function podGraceSeconds({ client, clock, namespace, deletedAt }: ContentOptions): Promise<number> {
  const { items } = await client.resource(resources.pods).listAll({ namespace });
  const graces = items
    .filter(({ status }) => status?.phase !== 'Succeeded' && status?.phase !== 'Failed')
    .map(({ spec }) => spec?.terminationGracePeriodSeconds ?? 0);
  // Not as arguments, of which there may be no hundred thousand.
  const longest = graces.reduce((most, grace) => Math.max(most, grace), 0);
  const passedSeconds = (clock.now() - parseTime(deletedAt)) / 1000;
  return passedSeconds >= longest ? 0 : longest;
}
