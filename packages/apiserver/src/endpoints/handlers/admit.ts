import { checkManagedFields, messageOf } from '@kubechain/apimachinery';
import type { KubeObject } from '@kubechain/apimachinery';
import type { ValidateDeletion, ValidateObject } from '../../registry/rest/storage.ts';
import type { RequestContext } from '../../request/request-context.ts';
import { beginPhase, endPhase, timed } from '../../request/timed.ts';
import { RequestAttributes } from './admission-attributes.ts';
import type { AttributesOptions } from './admission-attributes.ts';
import type { RequestScope } from './request-scope.ts';

/**
 * Mutating admission of an object that is created or updated; returns what plugins made of it. managedFields that a
 * plugin has broken are put back, with a warning.
 * @throws StatusError of the plugin that refused
 */
export async function admit(
  scope: RequestScope,
  context: RequestContext,
  options: AttributesOptions & { readonly object: KubeObject },
): Promise<KubeObject> {
  const chain = scope.admission;
  if (chain.empty || !chain.handles(options.operation)) return options.object;
  const before = options.object.metadata?.managedFields;
  const attributes = new RequestAttributes(scope, context, options);
  const startedAt = beginPhase(context);
  await chain.admit(attributes);
  endPhase(context, 'admission', startedAt);
  const object = attributes.object ?? options.object;
  const managedFields = object.metadata?.managedFields;
  if (object.metadata === undefined || managedFields === undefined || managedFields === before) return object;
  try {
    checkManagedFields(managedFields);
  } catch (error) {
    if (before === undefined) delete object.metadata.managedFields;
    else object.metadata.managedFields = before;
    context.addWarning(
      '.metadata.managedFields was in an invalid state after admission; this could be caused by an outdated ' +
        `mutating admission controller; please fix your requests: ${messageOf(error)}`,
    );
  }
  return object;
}

const nothing: ValidateObject = () => undefined;

/**
 * Validating admission as the hook that storage calls on a complete object. A name that was generated meanwhile is
 * filled in.
 */
export function validatingHook(
  scope: RequestScope,
  context: RequestContext,
  options: AttributesOptions,
): (object: KubeObject, old?: KubeObject) => void | Promise<void> {
  const chain = scope.admission;
  if (chain.empty || !chain.handles(options.operation)) return nothing;
  return (object, old) => {
    const pending = chain.validate(
      new RequestAttributes(scope, context, {
        ...options,
        object,
        oldObject: old ?? options.oldObject,
        name: options.name === '' ? (object.metadata?.name ?? '') : options.name,
      }),
    );
    return pending === undefined ? undefined : timed(context, 'admission', pending);
  };
}

/**
 * Both phases of admission for a deletion, on the object that is about to go, with the options as the registry has
 * settled them.
 */
export function deletionHook(
  scope: RequestScope,
  context: RequestContext,
  options: AttributesOptions,
): ValidateDeletion {
  const chain = scope.admission;
  if (chain.empty || !chain.handles('DELETE')) return nothing;
  return async (object, { gracePeriodSeconds } = {}) => {
    const settled =
      options.options === undefined || gracePeriodSeconds === undefined
        ? options.options
        : { ...options.options, gracePeriodSeconds };
    const attributes = new RequestAttributes(scope, context, {
      ...options,
      options: settled,
      object: undefined,
      oldObject: object,
    });
    const startedAt = beginPhase(context);
    await chain.admit(attributes);
    await chain.validate(attributes);
    endPhase(context, 'admission', startedAt);
  };
}
