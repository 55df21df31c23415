import type { FieldError, KubeObject } from '@kubechain/apimachinery';
import type { ParamKind } from '@kubechain/apimachinery/types/admissionregistration/v1';
import { beginWithExpressions } from '@kubechain/apiserver/resources';
import type { Strategy } from '@kubechain/apiserver/resources';
import { paramKindErrors } from './param-rights.ts';
import type { RightsContext } from './param-rights.ts';

/**
 * Validation of policies of either kind: their own rules, then whether who writes may read all that may be params, if
 * that changed.
 */
export function policyRights(
  validate: (object: KubeObject, old: KubeObject | undefined) => readonly FieldError[],
  rights: RightsContext,
): Pick<Strategy, 'validate' | 'validateUpdate'> {
  return {
    async validate(object, context) {
      beginWithExpressions(context, expressionsIn(object));
      const { user } = context.request;
      const errors = validate(object, undefined),
        kind = paramKindOf(object);
      return errors.length > 0 || kind === undefined ? errors : paramKindErrors(kind, user, rights);
    },
    async validateUpdate(object, old, context) {
      beginWithExpressions(context, expressionsIn(object));
      const { user } = context.request;
      const errors = validate(object, old),
        kind = paramKindOf(object),
        known = paramKindOf(old);
      const unchanged =
        kind === undefined || (known !== undefined && known.kind === kind.kind && known.apiVersion === kind.apiVersion);
      return errors.length > 0 || unchanged ? errors : paramKindErrors(kind, user, rights);
    },
  };
}

/** Members of a policy that are lists of expressions; a validation has one or two. */
const expressionLists = ['variables', 'matchConditions', 'validations', 'validations', 'auditAnnotations', 'mutations'];

function expressionsIn(object: KubeObject): number {
  const spec = (object['spec'] ?? {}) as Readonly<Record<string, readonly unknown[] | undefined>>;
  return expressionLists.reduce((count, list) => count + (spec[list]?.length ?? 0), 0);
}

function paramKindOf(object: KubeObject): ParamKind | undefined {
  return (object['spec'] as { readonly paramKind?: ParamKind } | undefined)?.paramKind;
}
