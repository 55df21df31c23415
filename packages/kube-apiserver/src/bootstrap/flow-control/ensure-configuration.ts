import { isConflict, isNotFound, isStatusError } from '@kubechain/apimachinery';
import type { KubeObject, ObjectMeta } from '@kubechain/apimachinery';
import {
  OwnWrites,
  autoUpdateAnnotation,
  defaultFlowSchemas,
  defaultPriorityLevels,
  everything,
  internalContext,
} from '@kubechain/apiserver/resources';
import type { DefaultConfiguration, RESTContext, Store } from '@kubechain/apiserver/resources';
import { isRemovable, reviseConfiguration } from './revise-configuration.ts';

const group = 'flowcontrol.apiserver.k8s.io';
const manager = 'api-priority-and-fairness-config-producer-v1';

/** Where the two kinds of configuration objects are stored. */
export interface FlowControlStores {
  readonly levels: Store;
  readonly schemas: Store;
}

/**
 * Creates the mandatory and suggested configuration objects that are missing, puts right those that the server keeps
 * up to date, and removes those of older servers (pkg/registry/flowcontrol/rest, 1.36). One list of each kind when all
 * is well.
 * @throws StatusError when storage refuses; to be tried again
 */
export async function ensureFlowControlConfiguration(
  { levels, schemas }: FlowControlStores,
  signal: AbortSignal,
): Promise<void> {
  await Promise.all([
    ensureKind({ store: levels, kind: 'PriorityLevelConfiguration', defaults: defaultPriorityLevels, signal }),
    ensureKind({ store: schemas, kind: 'FlowSchema', defaults: defaultFlowSchemas, signal }),
  ]);
}

interface Kind {
  readonly store: Store;
  readonly kind: string;
  readonly defaults: readonly DefaultConfiguration[];
  readonly signal: AbortSignal;
}

async function ensureKind({ store, kind, defaults, signal }: Kind): Promise<void> {
  const own = new OwnWrites(store, { scheme: store.spec.scheme, clock: store.environment.clock, manager });
  const context = internalContext({ groupResource: { group, resource: store.spec.plural }, signal });
  const { items } = await store.list(context, {
    predicate: everything,
    resourceVersion: '',
    resourceVersionMatch: '',
    limit: 0,
    continue: '',
  });
  const current = new Map(items.map((item) => [item.attributes.name, item.object()]));
  const writes = defaults.map(async ([name, spec]) => {
    const wanted = configurationObject(kind, name, spec);
    const present = current.get(name);
    current.delete(name);
    if (present === undefined) await tolerate('AlreadyExists', own.create(context, wanted));
    else await revise({ own, context, present, wanted });
  });
  const unwanted = [...current].filter(([, object]) => isRemovable(object));
  const removals = unwanted.map(async ([name]) => {
    await store
      .delete(context, name, () => undefined, { dryRun: false })
      .catch((error: unknown) => {
        if (!isNotFound(error)) throw error;
      });
  });
  await Promise.all([...writes, ...removals]);
}

interface Revision {
  readonly own: OwnWrites;
  readonly context: RESTContext;
  readonly present: KubeObject;
  readonly wanted: KubeObject;
}

/** Somebody who writes at the same time wins; the next round looks at the result. */
async function revise({ own, context, present, wanted }: Revision): Promise<void> {
  const revised = reviseConfiguration(present, wanted);
  if (revised === undefined) return;
  await own.update(context, structuredClone(revised)).catch((error: unknown) => {
    if (!isConflict(error) && !isNotFound(error)) throw error;
  });
}

function configurationObject(kind: string, name: string, spec: KubeObject): KubeObject & { metadata: ObjectMeta } {
  return {
    apiVersion: `${group}/v1`,
    kind,
    metadata: { name, annotations: { [autoUpdateAnnotation]: 'true' } },
    spec: structuredClone(spec),
  };
}

async function tolerate(reason: string, write: Promise<unknown>): Promise<void> {
  try {
    await write;
  } catch (error) {
    if (!(isStatusError(error) && error.reason === reason)) throw error;
  }
}
