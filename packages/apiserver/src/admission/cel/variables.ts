import { boolType, dynType, intType, listOf, mapOf, objectOf, parseType, simpleType, stringType } from '@kubechain/cel';
import type { CelType } from '@kubechain/cel';

function object(name: string, fields: Readonly<Record<string, CelType>>): CelType {
  return objectOf(`kubernetes.${name}`, new Map(Object.entries(fields)));
}

const texts = mapOf(stringType, stringType),
  time = simpleType('timestamp');
const kindType = object('GroupVersionKind', { group: stringType, version: stringType, kind: stringType });
const resourceType = object('GroupVersionResource', { group: stringType, version: stringType, resource: stringType });

/** AdmissionRequest without uid and objects, as expressions know it (admission/plugin/cel/compile.go, 1.36). */
const requestType = object('AdmissionRequest', {
  kind: kindType,
  resource: resourceType,
  subResource: stringType,
  requestKind: kindType,
  requestResource: resourceType,
  requestSubResource: stringType,
  name: stringType,
  namespace: stringType,
  operation: stringType,
  dryRun: boolType,
  options: dynType,
  userInfo: object('UserInfo', {
    username: stringType,
    uid: stringType,
    groups: listOf(stringType),
    extra: mapOf(stringType, listOf(stringType)),
  }),
});

/** The parts of a Namespace that expressions know; `UID` is written so in the reference too, and never there. */
const namespaceType = object('Namespace', {
  metadata: object('NamespaceMetadata', {
    name: stringType,
    generateName: stringType,
    namespace: stringType,
    labels: texts,
    annotations: texts,
    UID: stringType,
    creationTimestamp: time,
    deletionGracePeriodSeconds: intType,
    deletionTimestamp: time,
    generation: intType,
    resourceVersion: stringType,
    finalizers: listOf(stringType),
  }),
  spec: object('NamespaceSpec', { finalizers: listOf(stringType) }),
  status: object('NamespaceStatus', {
    conditions: listOf(
      object('NamespaceCondition', {
        status: stringType,
        type: stringType,
        lastTransitionTime: time,
        message: stringType,
        reason: stringType,
      }),
    ),
    phase: stringType,
  }),
});

/** Variables that only some expressions have. */
export interface OptionalVariables {
  /** `params`: the policy has a paramKind. */
  readonly params: boolean;
  /** `authorizer` and `authorizer.requestResource`. */
  readonly authorizer: boolean;
  /** Without the functions of lists that came with 1.34, as new expressions of that release. Default false. */
  readonly former?: boolean;
}

/** What expressions about a request can name. `composed` is the type of `variables`, where a policy has some. */
export function admissionVariables(
  { authorizer, params }: OptionalVariables,
  composed: CelType | undefined,
): ReadonlyMap<string, CelType> {
  return new Map<string, CelType>([
    ['object', dynType],
    ['oldObject', dynType],
    ['namespaceObject', namespaceType],
    ['request', requestType],
    ...(params ? [['params', dynType] as const] : []),
    ...(authorizer
      ? ([
          ['authorizer', parseType('kubernetes.authorization.Authorizer')],
          ['authorizer.requestResource', parseType('kubernetes.authorization.ResourceCheck')],
        ] as const)
      : []),
    ...(composed === undefined ? [] : [['variables', composed] as const]),
  ]);
}
