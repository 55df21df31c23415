import type { FieldError, KubeObject, ReleaseAge } from '@kubechain/apimachinery';
import type { FeatureGate } from '@kubechain/apiserver/options';
import type { Strategy } from '@kubechain/apiserver/resources';
import { specStrategy, statusStrategy } from './spec-strategy.ts';
import type { RegistryContext } from './storage-provider.ts';
import { dropUndeclared, validateDeclared } from './validation/declared.ts';
import type { HasGate } from './validation/declared.ts';

/** What there is beside the rules that types declare. */
export interface DeclaredOptions {
  readonly context: Pick<RegistryContext, 'featureEnabled' | 'release'>;
  /** Rules that the types do not declare, of any write. */
  readonly also?: (object: KubeObject, old?: KubeObject) => FieldError[];
  /** The resource has a status endpoint. */
  readonly status?: boolean;
  readonly generation?: 'spec';
}

/** Gates by whatever name rules have them. */
function gatesOf({ featureEnabled }: DeclaredOptions['context']): HasGate {
  return (gate) => featureEnabled(gate as FeatureGate);
}

/** The main endpoint of a resource whose types declare most of its rules. */
export function declaredStrategy({ also, context, generation, status = false }: DeclaredOptions): Strategy {
  const hasGate = gatesOf(context);
  const validate = (object: KubeObject, old?: KubeObject): FieldError[] => [
    ...(also?.(object, old) ?? []),
    ...validateDeclared(object, old, { hasGate, only: 'spec' }),
  ];
  return specStrategy({
    ...(generation === undefined ? {} : { generation }),
    status,
    allowUnconditionalUpdate: isUnconditional(context.release),
    prepareForCreate: (object) => {
      dropUndeclared(object, undefined, hasGate);
    },
    prepareForUpdate: (object, old) => {
      dropUndeclared(object, old, hasGate);
    },
    validate: (object) => validate(object),
    validateUpdate: (object, old) => validate(object, old),
  });
}

/** Its status endpoint. */
export function declaredStatusStrategy({ also, context }: Pick<DeclaredOptions, 'also' | 'context'>): Strategy {
  const hasGate = gatesOf(context);
  return statusStrategy({
    resetMetadata: true,
    hooks: {
      allowUnconditionalUpdate: isUnconditional(context.release),
      prepareForUpdate: (object, old) => {
        dropUndeclared(object, old, hasGate);
      },
      validateUpdate: (object, old) => [
        ...(also?.(object, old) ?? []),
        ...validateDeclared(object, old, { hasGate, only: 'status' }),
      ],
    },
  });
}

/** Updates that name no version were taken up to 1.36. */
function isUnconditional(release: ReleaseAge): boolean {
  return !release.since('1.37');
}
