import { isAlreadyExists } from '@kubechain/apimachinery';
import type { Client } from '../client/client.ts';
import type { ResourceMapper } from '../discovery/resource-mapper.ts';
import { UnknownKindError } from '../discovery/resource-mapper.ts';
import type { StageStep } from './stage.ts';
import { StageError } from './stage-error.ts';
import type { renderObject } from './render-patch.ts';

/** As kwok calls itself. */
const fieldManager = 'kwok';

/**
 * Makes an object that a stage describes, or changes it where it is there already; of a subresource only the latter
 * (lifecycle.ApplyResource of kwok). @throws StageError for a kind that nobody serves
 */
export async function applyObject(
  object: Awaited<ReturnType<typeof renderObject>>,
  { place, subresource, type }: Extract<StageStep, { readonly kind: 'apply' }>,
  {
    client,
    mapper,
    namespace,
  }: { readonly client: Client; readonly mapper: ResourceMapper; readonly namespace?: string | undefined },
): Promise<void> {
  const resource = client.resource(await served(object, place, mapper));
  const where = resource.type.namespaced ? (object.metadata?.namespace ?? namespace) : undefined;
  const placed = where === undefined ? object : { ...object, metadata: { ...object.metadata, namespace: where } };
  if (subresource === undefined) {
    try {
      await resource.create(placed);
      return;
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
    }
  }
  const of = subresource === undefined ? {} : { subresource };
  if (type === 'apply') await resource.apply(placed, { fieldManager, force: true, ...of });
  else await resource.patch({ name: object.metadata?.name ?? '', namespace: where }, placed, { type, ...of });
}

async function served(
  { apiVersion, kind }: { readonly apiVersion: string; readonly kind: string },
  place: string,
  mapper: ResourceMapper,
): ReturnType<ResourceMapper['resourceOf']> {
  try {
    return await mapper.resourceOf(apiVersion, kind);
  } catch (cause) {
    if (!(cause instanceof UnknownKindError)) throw cause;
    throw new StageError(`${place}: ${cause.message}`, { cause });
  }
}
