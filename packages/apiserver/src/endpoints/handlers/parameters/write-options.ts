import {
  append,
  forbiddenValue,
  invalid,
  notSupported,
  required,
  validateFieldManager,
  FieldPath,
} from '@kubechain/apimachinery';
import type { FieldError, FieldValidation, KubeObject } from '@kubechain/apimachinery';
import { queryBoolean } from './query-values.ts';

/** meta/v1 CreateOptions, UpdateOptions and PatchOptions as a request has them, checked. */
export interface WriteParameters {
  readonly dryRun: boolean;
  /** '' when the client named none. */
  readonly fieldManager: string;
  /** With its default, `Warn`. */
  readonly fieldValidation: FieldValidation;
  /** Apply patches only. */
  readonly force: boolean;
}

const fieldValidations: readonly string[] = ['', 'Ignore', 'Strict', 'Warn'];
const defaults: WriteParameters = { dryRun: false, fieldManager: '', fieldValidation: 'Warn', force: false };

/** @throws StatusError Invalid */
export function writeParameters(query: URLSearchParams, kind: 'CreateOptions' | 'UpdateOptions'): WriteParameters {
  if (query.size === 0) return defaults;
  return decode(query, kind, []);
}

/**
 * `apply`: whether the patch is a server-side apply, which must name its manager and may force. @throws StatusError
 * Invalid
 */
export function patchParameters(query: URLSearchParams, apply: boolean): WriteParameters {
  if (query.size === 0 && !apply) return defaults;
  const errors: FieldError[] = [];
  if (apply) {
    if ((query.get('fieldManager') ?? '') === '') errors.push(required('fieldManager', 'is required for apply patch'));
  } else if (query.has('force')) {
    errors.push(forbiddenValue('force', 'may not be specified for non-apply patch'));
  }
  return decode(query, 'PatchOptions', errors);
}

function decode(query: URLSearchParams, kind: string, errors: FieldError[]): WriteParameters {
  const fieldManager = query.get('fieldManager') ?? '';
  const dryRun = query.getAll('dryRun');
  const fieldValidation = query.get('fieldValidation') ?? '';
  if (fieldManager !== '') append(errors, validateFieldManager(fieldManager, FieldPath.of('fieldManager')));
  append(errors, dryRunErrors(dryRun));
  if (!fieldValidations.includes(fieldValidation))
    errors.push(notSupported('fieldValidation', fieldValidation, fieldValidations));
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', kind }, '', errors);
  return {
    dryRun: dryRun.length > 0,
    fieldManager,
    fieldValidation: fieldValidation === '' ? 'Warn' : (fieldValidation as FieldValidation),
    force: queryBoolean(query, 'force') ?? false,
  };
}

/** The only dry run is `All`. */
export function dryRunErrors(dryRun: readonly string[]): FieldError[] {
  return dryRun.every((value) => value === 'All') ? [] : [notSupported('dryRun', dryRun, ['All'])];
}

/** The options as admission plugins see them. */
export function writeOptionsObject(
  kind: 'CreateOptions' | 'UpdateOptions' | 'PatchOptions',
  query: URLSearchParams,
): KubeObject {
  const options: KubeObject = { kind, apiVersion: 'meta.k8s.io/v1' };
  const dryRun = query.getAll('dryRun');
  if (dryRun.length > 0) options['dryRun'] = dryRun;
  const force = queryBoolean(query, 'force');
  if (kind === 'PatchOptions' && force !== undefined) options['force'] = force;
  for (const name of ['fieldManager', 'fieldValidation']) {
    const value = query.get(name);
    if (value !== null && value !== '') options[name] = value;
  }
  return options;
}
