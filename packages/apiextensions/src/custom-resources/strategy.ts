import {
  builtinRelease,
  FieldPath,
  invalidValue,
  nameIsDNSSubdomain,
  validateObjectMeta,
} from '@kubechain/apimachinery';
import type { FieldError, KubeObject, ReleaseAge } from '@kubechain/apimachinery';
import { copyObject, Stepwise } from '@kubechain/apiserver/resources';
import type { RESTContext, Steps, Strategy } from '@kubechain/apiserver/resources';
import { isDeepStrictEqual } from 'node:util';
import { finalizerWarnings } from './finalizer-warnings.ts';
import type { SpentTime } from '../values/correlation.ts';
import { validateScale } from './validate-scale.ts';
import type { VersionSchema } from './version-schema.ts';

/**
 * Checks beyond the schema's own (CEL rules); `errors` are what has been found so far. `old` is absent for a new
 * object.
 * What was wrong before an update, and did not change, only makes a warning. Others may be served between its steps.
 */
export type ExtraRules = (
  schema: VersionSchema,
  object: KubeObject,
  check: {
    readonly old?: KubeObject;
    readonly errors: readonly FieldError[];
    /** What is wrong with the metadata, which is told of elsewhere. Default: nothing. */
    readonly metadataErrors?: () => readonly FieldError[];
    readonly warn: (text: string) => void;
    /** Told how long comparing with what was there takes. */
    readonly spent?: SpentTime | undefined;
  },
) => Steps<readonly FieldError[]>;

/** Checks beyond the schema's own, and where it is counted how long comparing takes in updates; default nowhere. */
export interface CustomRules {
  readonly extraRules: ExtraRules;
  readonly ratcheting?: { observe(seconds: number): void } | undefined;
  /** Default: the checked-in tables' release. */
  readonly release?: ReleaseAge | undefined;
}

/** What is checked beyond the schema comes behind what it says itself. */
function beyond(
  errors: readonly FieldError[],
  steps: Steps<readonly FieldError[]>,
  turns: RESTContext['turns'],
): readonly FieldError[] | Promise<readonly FieldError[]> {
  const more = new Stepwise(steps).make(() => turns?.next());
  return more instanceof Promise ? more.then((found) => [...errors, ...found]) : [...errors, ...more];
}

/** What is wrong with an update, by the schema and by what is checked beyond it. */
function mistakesOfUpdate(
  schema: VersionSchema,
  {
    context: { request, turns },
    object,
    old,
  }: { readonly object: KubeObject; readonly old: KubeObject; readonly context: RESTContext },
  { extraRules, ratcheting }: CustomRules,
  bySchema: (spent: SpentTime) => readonly FieldError[],
): readonly FieldError[] | Promise<readonly FieldError[]> {
  const spent: SpentTime = { seconds: 0 };
  const errors = bySchema(spent);
  const warn = (text: string): void => {
    request.addWarning(text);
  };
  const steps = counted(extraRules(schema, object, { old, errors, spent, warn }), () => {
    ratcheting?.observe(spent.seconds);
  });
  return beyond(errors, steps, turns);
}

/** The same steps, with something to be done when the last is made. */
function* counted<T>(steps: Steps<T>, count: () => void): Steps<T> {
  const made = yield* steps;
  count();
  return made;
}

/** Custom resources of one version (pkg/registry/customresource/strategy.go, 1.36). */
export function customStrategy(schema: VersionSchema, rules: CustomRules): Strategy {
  const { extraRules, release = builtinRelease } = rules;
  const hasStatus = schema.version.subresources?.status !== undefined;
  const scale = schema.version.subresources?.scale;
  return {
    unstructured: true,
    allowUnconditionalUpdate: false,
    ...(hasStatus ? { resetFields: new Map([[schema.apiVersion, ['status']]]) } : {}),
    prepareForCreate(object) {
      if (hasStatus) delete object['status'];
      if (object.metadata !== undefined) object.metadata.generation = 1;
    },
    prepareForUpdate(object, old) {
      if (hasStatus) {
        if (Object.hasOwn(old, 'status')) object['status'] = copyObject(old['status']);
        else delete object['status'];
      }
      bumpGeneration(object, old);
    },
    // A body of another kind is read all the same, and refused with what else is wrong with it.
    typeMistakes({ apiVersion, kind }) {
      const errors: FieldError[] = [];
      if (kind !== schema.gvk.kind) errors.push(invalidValue(FieldPath.of('kind'), kind, `must be ${schema.gvk.kind}`));
      if (apiVersion !== schema.apiVersion)
        errors.push(invalidValue(FieldPath.of('apiVersion'), apiVersion, `must be ${schema.apiVersion}`));
      return errors;
    },
    validate(object, { request, turns }) {
      const isForeign = object.kind !== schema.gvk.kind || object.apiVersion !== schema.apiVersion;
      const errors = isForeign
        ? schema.values.validateForeign(object)
        : [...schema.values.validate(object), ...validateScale(object, scale, { spec: true })];
      const steps = extraRules(schema, object, {
        errors,
        metadataErrors: () => (isForeign ? [] : metadataErrors(object, release)),
        warn: (text) => {
          request.addWarning(text);
        },
      });
      return beyond(errors, steps, turns);
    },
    validateUpdate: (object, old, context) =>
      mistakesOfUpdate(schema, { object, old, context }, rules, (spent) =>
        object.kind !== schema.gvk.kind || object.apiVersion !== schema.apiVersion
          ? schema.values.validateForeign(object, old)
          : [...schema.values.validateUpdate(object, old, spent), ...validateScale(object, scale, { spec: true })],
      ),
    warningsOnCreate: (object) => finalizerWarnings(object),
    warningsOnUpdate: (object, old) => finalizerWarnings(object, old),
  };
}

/**
 * The status endpoint: everything but status and managedFields stays as it is, kind and apiVersion included
 * (status_strategy.go, 1.36).
 * `apiVersions` are those of all versions with a status endpoint: nobody's ownership of the rest changes by it, in
 * whatever version it is.
 */
export function customStatusStrategy(
  schema: VersionSchema,
  apiVersions: readonly string[],
  rules: CustomRules,
): Strategy {
  const { release = builtinRelease } = rules;
  const scale = schema.version.subresources?.scale;
  return {
    unstructured: true,
    allowUnconditionalUpdate: false,
    // Up to 1.35, metadata that is thrown away was counted as the writer's.
    resetFields: new Map(
      apiVersions.map((apiVersion) => [apiVersion, release.since('1.36') ? ['metadata', 'spec'] : ['spec']]),
    ),
    prepareForUpdate(object, old) {
      const status = object['status'];
      const hasStatus = Object.hasOwn(object, 'status');
      const managedFields = object.metadata?.managedFields;
      for (const key of Object.keys(object)) delete object[key];
      Object.assign(object, copyObject(old));
      if (object.metadata !== undefined) {
        if (managedFields === undefined) delete object.metadata.managedFields;
        else object.metadata.managedFields = managedFields;
      }
      if (hasStatus) object['status'] = status;
      else delete object['status'];
    },
    validateUpdate: (object, old, context) =>
      mistakesOfUpdate(schema, { object, old, context }, rules, (spent) => [
        ...schema.values.validateStatusUpdate(object, old, spent),
        ...validateScale(object, scale, { spec: false }),
      ]),
  };
}

/** Of a new object, whose namespace is the request's. */
function metadataErrors({ metadata = {} }: KubeObject, release: ReleaseAge): readonly FieldError[] {
  const namespaced = (metadata.namespace ?? '') !== '';
  return validateObjectMeta(metadata, { namespaced, validateName: nameIsDNSSubdomain, release });
}

/** generation counts changes of everything but metadata. */
function bumpGeneration(object: KubeObject, old: KubeObject): void {
  if (object.metadata === undefined) return;
  const { metadata: _metadata, ...payload } = object;
  const { metadata: oldMetadata, ...oldPayload } = old;
  if (!isDeepStrictEqual(payload, oldPayload)) object.metadata.generation = (oldMetadata?.generation ?? 0) + 1;
}
