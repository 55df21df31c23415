import { isMethodNotSupported, isNotFound, parseTime, type Clock } from '@kubechain/apimachinery';
import type { PartialObjectMetadata } from '@kubechain/apimachinery/types/meta/v1';
import type { Client } from '../client/client.ts';
import type { ResourceType } from '../client/resource-type.ts';
import { resources } from '../client/resources.ts';
import type { DiscoveredResource } from '../discovery/discovery.ts';
import { FinalizerCounts } from './finalizer-counts.ts';
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

const nothing: ContentLeft = { estimateSeconds: 0, remaining: undefined, error: undefined };

/**
 * Deletes all objects of a resource in a namespace, and tells what is still there
 * (deletion/namespaced_resources_deleter.go). Of most resources a namespace has none, which one short list shows, where
 * the reference deletes a collection and lists it: thousands of namespaces wait for each other. Never rejects.
 */
export async function deleteContent(resource: DiscoveredResource, options: ContentOptions): Promise<ContentLeft> {
  let estimateSeconds = 0;
  try {
    if (await isEmpty(resource, options)) return nothing;
    if (resource.group === '' && resource.resource === 'pods') estimateSeconds = await podGraceSeconds(options);
    if (!(await deleteAtOnce(resource, options))) await deleteOneByOne(resource, options);
    const finalizers = new FinalizerCounts();
    let count = 0;
    const listed = await each(resource, options, ({ metadata }) => {
      count++;
      for (const finalizer of metadata?.finalizers ?? []) finalizers.add(finalizer);
    });
    if (!listed) return { estimateSeconds, remaining: undefined, error: undefined };
    if (count === 0) return nothing;
    const remaining = { resource: `${resource.resource}.${resource.group}`, count, finalizers: finalizers.counts };
    if (estimateSeconds !== 0) return { estimateSeconds, remaining, error: undefined };
    if (finalizers.counts.size > 0) return { estimateSeconds: FINALIZER_SECONDS, remaining, error: undefined };
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
  const names: string[] = [];
  await each(resource, options, ({ metadata }) => names.push(metadata?.name ?? ''));
  for (const name of names) {
    try {
      await client.resource(resource).delete({ namespace, name }, { propagationPolicy: 'Background' });
    } catch (error) {
      if (!isNotFound(error) && !isMethodNotSupported(error)) throw error;
    }
  }
}

/** Whether nothing is there at the time of asking; nothing comes after it, since the namespace ends. */
async function isEmpty(resource: DiscoveredResource, options: ContentOptions): Promise<boolean> {
  let count = 0;
  return (await each(resource, { ...options, limit: 1 }, () => count++)) && count === 0;
}

/** Shows the metadata of each object; false when the resource cannot be listed. */
async function each(
  resource: DiscoveredResource,
  { client, namespace, limit }: ContentOptions & { readonly limit?: number },
  visit: (object: PartialObjectMetadata) => void,
): Promise<boolean> {
  if (!resource.verbs.includes('list')) return false;
  try {
    const objects = client.resource(resource as ResourceType<PartialObjectMetadata>);
    const options = { namespace, metadataOnly: true };
    if (limit === undefined) await objects.each(options, visit);
    else (await objects.list({ ...options, limit })).items.forEach(visit);
    return true;
  } catch (error) {
    if (isMethodNotSupported(error) || isNotFound(error)) return false;
    throw error;
  }
}

/** The longest grace of the pods that are still running; 0 when it should be over. */
async function podGraceSeconds({ client, clock, namespace, deletedAt }: ContentOptions): Promise<number> {
  let longest = 0;
  // One by one: the pods of a namespace may be gigabytes.
  await client.resource(resources.pods).each({ namespace }, ({ spec, status }) => {
    if (status?.phase !== 'Succeeded' && status?.phase !== 'Failed')
      longest = Math.max(longest, spec?.terminationGracePeriodSeconds ?? 0);
  });
  const passedSeconds = (clock.now() - parseTime(deletedAt)) / 1000;
  return passedSeconds >= longest ? 0 : longest;
}
