import type { LabelSelectorObject } from '@kubechain/apimachinery';
import type { StoredCondition } from '../cel/match-conditions.ts';
import type { AdmissionRule } from '../webhook/rules.ts';

/** MatchResources of policies and bindings. */
export interface StoredMatch {
  readonly namespaceSelector?: LabelSelectorObject;
  readonly objectSelector?: LabelSelectorObject;
  readonly resourceRules?: readonly NamedRule[];
  readonly excludeResourceRules?: readonly NamedRule[];
  readonly matchPolicy?: string;
}

export interface NamedRule extends AdmissionRule {
  /** Any, if empty. */
  readonly resourceNames?: readonly string[];
}

export interface ParamKind {
  readonly apiVersion?: string;
  readonly kind?: string;
}

export interface ParamRef {
  readonly name?: string;
  readonly namespace?: string;
  readonly selector?: LabelSelectorObject;
  readonly parameterNotFoundAction?: string;
}

/** What ValidatingAdmissionPolicies and MutatingAdmissionPolicies have in common. */
export interface PolicySpec {
  readonly paramKind?: ParamKind;
  readonly matchConstraints?: StoredMatch;
  readonly failurePolicy?: string;
  readonly matchConditions?: readonly StoredCondition[];
  readonly variables?: readonly { readonly name: string; readonly expression: string }[];
}

export interface ValidatingPolicySpec extends PolicySpec {
  readonly validations?: readonly {
    readonly expression: string;
    readonly message?: string;
    readonly messageExpression?: string;
    readonly reason?: string;
  }[];
  readonly auditAnnotations?: readonly { readonly key: string; readonly valueExpression: string }[];
}

export interface MutatingPolicySpec extends PolicySpec {
  readonly mutations?: readonly StoredMutation[];
  readonly reinvocationPolicy?: string;
}

export interface StoredMutation {
  readonly patchType?: string;
  readonly jsonPatch?: { readonly expression?: string };
  readonly applyConfiguration?: { readonly expression?: string };
}

/** A binding of either kind; only validating ones have actions. */
export interface BindingSpec {
  readonly policyName?: string;
  readonly paramRef?: ParamRef;
  readonly matchResources?: StoredMatch;
  readonly validationActions?: readonly string[];
}
