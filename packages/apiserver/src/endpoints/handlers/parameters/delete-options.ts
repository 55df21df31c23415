import { builtinRelease, append, invalid, invalidValue, notSupported } from '@kubechain/apimachinery';
import type { FieldError, KubeObject, ReleaseAge } from '@kubechain/apimachinery';
import type { Preconditions } from '@kubechain/shared-storage';
import type { DeleteOptions } from '../../../registry/rest/storage.ts';
import { queryBoolean, queryInteger } from './query-values.ts';
import { dryRunErrors } from './write-options.ts';

const groupKind = { group: 'meta.k8s.io', kind: 'DeleteOptions' };

/** DeleteOptions with the object form that admission plugins see. */
export interface DeleteParameters {
  readonly options: DeleteOptions;
  readonly object: KubeObject;
}

/** What the server's feature gates allow of DeleteOptions. */
export interface DeleteGates {
  readonly unsafeDeletion: boolean;
  /** Default: the checked-in tables' release. */
  readonly release?: ReleaseAge;
}

/** Field of DeleteOptions that lets an object go that cannot be read. */
export const ignoreReadErrors = 'ignoreStoreReadErrorWithClusterBreakingPotential';

/** From a query, for deletions without a body. @throws StatusError BadRequest, Invalid */
export function deleteParametersFromQuery(query: URLSearchParams, gates: DeleteGates): DeleteParameters {
  const object: KubeObject = {};
  const set = (name: string, value: unknown): void => {
    if (value !== undefined) object[name] = value;
  };
  set('gracePeriodSeconds', queryInteger(query, 'gracePeriodSeconds'));
  const uid = query.get('uid') ?? '';
  const resourceVersion = query.get('resourceVersion') ?? '';
  if (uid !== '' || resourceVersion !== '')
    set('preconditions', { ...(uid === '' ? {} : { uid }), ...(resourceVersion === '' ? {} : { resourceVersion }) });
  set('orphanDependents', queryBoolean(query, 'orphanDependents'));
  set('propagationPolicy', query.get('propagationPolicy') ?? undefined);
  set('dryRun', query.has('dryRun') ? query.getAll('dryRun') : undefined);
  set(ignoreReadErrors, queryBoolean(query, ignoreReadErrors));
  return deleteParameters(object, gates);
}

/** From a decoded body; what the query says does not count then. @throws StatusError Invalid */
export function deleteParameters(
  object: KubeObject,
  { release = builtinRelease, unsafeDeletion }: DeleteGates,
): DeleteParameters {
  if (!unsafeDeletion) delete object[ignoreReadErrors];
  const gracePeriodSeconds = object['gracePeriodSeconds'] as number | undefined;
  const propagationPolicy = object['propagationPolicy'] as string | undefined;
  const orphanDependents = object['orphanDependents'] as boolean | undefined;
  const preconditions = object['preconditions'] as Preconditions | undefined;
  const dryRun = (object['dryRun'] ?? []) as readonly string[];
  const errors: FieldError[] = [];
  if (orphanDependents !== undefined && propagationPolicy !== undefined)
    errors.push(
      invalidValue(
        'propagationPolicy',
        propagationPolicy,
        'orphanDependents and deletionPropagation cannot be both set',
      ),
    );
  if (propagationPolicy !== undefined && !isPropagationPolicy(propagationPolicy))
    errors.push(notSupported('propagationPolicy', propagationPolicy, ['Foreground', 'Background', 'Orphan', 'nil']));
  append(errors, dryRunErrors(dryRun));
  const ignoresReadErrors = object[ignoreReadErrors] === true;
  if (ignoresReadErrors) append(errors, unsafeCombinations(object, release));
  if (errors.length > 0) throw invalid(groupKind, '', errors);
  return {
    options: {
      dryRun: dryRun.length > 0,
      ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
      ...(propagationPolicy === undefined || !isPropagationPolicy(propagationPolicy) ? {} : { propagationPolicy }),
      ...(orphanDependents === undefined ? {} : { orphanDependents }),
      ...(preconditions === undefined ? {} : { preconditions }),
      ...(ignoresReadErrors ? { ignoreStoreReadErrorWithClusterBreakingPotential: true } : {}),
    },
    object: { ...object, kind: 'DeleteOptions', apiVersion: 'meta.k8s.io/v1' },
  };
}

/** An unread object is deleted as it is or not at all (apimachinery ValidateIgnoreStoreReadError). */
function unsafeCombinations(object: KubeObject, release: ReleaseAge): FieldError[] {
  const set = ['dryRun', 'propagationPolicy', 'orphanDependents', 'gracePeriodSeconds', 'preconditions'].filter(
    (field) =>
      object[field] !== undefined &&
      // Since 1.37 it can be tried.
      !(field === 'dryRun' && (release.since('1.37') || (object[field] as readonly unknown[]).length === 0)),
  );
  return set.map((field) => invalidValue(ignoreReadErrors, true, `cannot be set together with .${field}`));
}

function isPropagationPolicy(text: string): text is 'Foreground' | 'Background' | 'Orphan' {
  return text === 'Foreground' || text === 'Background' || text === 'Orphan';
}
