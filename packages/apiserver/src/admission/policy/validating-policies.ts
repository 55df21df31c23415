import { append, StatusError, goJSON, messageOf } from '@kubechain/apimachinery';
import type { StatusReason } from '@kubechain/apimachinery';
import type { AdmissionAttributes, AdmissionPlugin } from '../admission.ts';
import { admissionForbidden } from '../admission-error.ts';
import { versionedObjects } from '../cel/admission-request.ts';
import type { RequestForm, VersionedObjects } from '../cel/admission-request.ts';
import { checkTime, handlesAll, type HookFeed } from '../webhook/webhook-plugin.ts';
import { formKey, invocationsOf, namespaceObjectOf } from './invocations.ts';
import type { PolicyOptions } from './invocations.ts';
import { policiesFor } from './policies-for.ts';
import type { PolicyBinding, PolicyHook } from './policy-source.ts';
import { Stepwise } from '../../request/stepwise.ts';
import type { ValidatingPolicySpec } from './stored-policy.ts';
import type { Decision, ValidatingPolicy } from './validating-policy.ts';

type Hook = PolicyHook<ValidatingPolicySpec, ValidatingPolicy>;

export interface ValidatingPolicyOptions extends PolicyOptions {
  readonly source: HookFeed<PolicyHook<ValidatingPolicySpec, ValidatingPolicy>>;
}

/** A refusal, and whose it is. */
interface Denial {
  readonly policy: string;
  readonly binding: string | undefined;
  readonly message: string;
  readonly reason: string;
}

const maxAnnotationBytes = 10 * 1024;
/** Statuses of the reasons that validations may give. */
const codes: ReadonlyMap<string, number> = new Map([
  ['Forbidden', 403],
  ['Unauthorized', 401],
  ['RequestEntityTooLarge', 413],
]);

/** Applies ValidatingAdmissionPolicies to requests (policy/validating/dispatcher.go, 1.36). */
export class ValidatingAdmissionPolicy implements AdmissionPlugin {
  readonly name = 'ValidatingAdmissionPolicy';
  readonly handles = handlesAll;
  readonly #options: ValidatingPolicyOptions;

  constructor(options: ValidatingPolicyOptions) {
    this.#options = options;
  }

  validate(attributes: AdmissionAttributes): void | Promise<void> {
    const hooks = policiesFor(attributes, this.#options.source);
    if (hooks instanceof Promise) return hooks.then((known) => this.#validate(attributes, known));
    return hooks.length === 0 ? undefined : this.#validate(attributes, hooks);
  }

  async #validate(attributes: AdmissionAttributes, hooks: readonly Hook[]): Promise<void> {
    const request = new PolicyRequest(attributes, this.#options);
    // All are evaluated, for their warnings and audit annotations; the first refusal is the answer.
    const denials: Denial[] = [];
    const { observation } = attributes;
    for (const hook of hooks) {
      const startedAt = observation?.begin('policy', hook.name) ?? 0;
      const refused = await request.apply(hook);
      observation?.add('policy', hook.name, startedAt, refused.length === 0 ? 'passed' : 'refused');
      append(denials, refused);
    }
    const [first] = denials;
    if (first !== undefined) throw denied(attributes, first);
  }
}

/** One request, and what policies share of it. */
class PolicyRequest {
  readonly #attributes: AdmissionAttributes;
  readonly #options: ValidatingPolicyOptions;
  readonly #versions = new Map<string, VersionedObjects>();
  #namespace: { readonly object: object | null } | undefined;

  constructor(attributes: AdmissionAttributes, options: ValidatingPolicyOptions) {
    this.#attributes = attributes;
    this.#options = options;
  }

  /** What a policy refuses. */
  async apply(hook: Hook): Promise<readonly Denial[]> {
    const { name: policy, spec } = hook;
    const ignoresFailures = spec.failurePolicy === 'Ignore';
    const annotations = new Annotations(policy);
    const denials: Denial[] = [];
    for (const invocation of await invocationsOf(hook, this.#attributes, this.#options)) {
      const refuse = (message: string, binding: string | undefined): void => {
        if (!ignoresFailures) denials.push({ policy, binding, message, reason: '' });
      };
      if (invocation.kind === 'misconfigured') {
        refuse(invocation.text, invocation.binding);
        continue;
      }
      const bound = await this.#objectsIn(invocation.form);
      if (typeof bound === 'string') {
        refuse(bound, invocation.binding.name);
        continue;
      }
      const { binding, params } = invocation;
      this.#namespace ??= { object: await namespaceObjectOf(this.#attributes, this.#options.namespaces) };
      checkTime(this.#attributes);
      for (const param of params) {
        const rest = (): Promise<void> | undefined => this.#attributes.objects.rest();
        const policyRules = await hook.evaluator.make(rest);
        const validation = policyRules.validate({
          attributes: this.#attributes,
          objects: bound,
          namespace: this.#namespace.object,
          params: param,
          authorizer: this.#options.authorizer,
        });
        const result = await new Stepwise(validation).make(rest);
        for (const [i, decision] of result.decisions.entries()) {
          if (decision.kind === 'deny' && this.#act(decision, i, { policy, binding }))
            denials.push({ policy, binding: binding.name, message: decision.message, reason: decision.reason });
        }
        for (const annotation of result.annotations) {
          if (annotation.kind === 'publish') annotations.add(annotation.key, annotation.value);
          else denials.push({ policy, binding: binding.name, message: annotation.message, reason: '' });
        }
      }
    }
    annotations.publish(this.#attributes);
    return denials;
  }

  /** Does what the binding says about a decision; true if the request is to be refused. */
  #act(
    decision: Decision & { kind: 'deny' },
    index: number,
    { binding, policy }: { readonly policy: string; readonly binding: PolicyBinding },
  ): boolean {
    const { validationActions = [] } = binding.spec;
    for (const action of validationActions) {
      if (action === 'Warn')
        this.#attributes.addWarning(
          `Validation failed for ValidatingAdmissionPolicy '${policy}' with binding '${binding.name}': ` +
            `${decision.message}`,
        );
      if (action === 'Audit')
        this.#attributes.addAuditAnnotation(
          'validation.policy.admission.k8s.io/validation_failure',
          goJSON([
            { message: decision.message, policy, binding: binding.name, expressionIndex: index, validationActions },
          ]),
        );
    }
    return validationActions.includes('Deny');
  }

  /** The objects in one version, or why there are none. */
  async #objectsIn(form: RequestForm): Promise<VersionedObjects | string> {
    const key = formKey(form);
    const known = this.#versions.get(key);
    // The same objects may be those of another version of the resource (autoscaling/v1 Scale of each).
    if (known !== undefined) return { ...known, form };
    try {
      const objects = await versionedObjects(this.#attributes, form);
      this.#versions.set(key, objects);
      return objects;
    } catch (error) {
      return `failed to configure binding: failed to convert object version: ${messageOf(error)}`;
    }
  }
}

/** The audit annotations of one policy: values of several bindings stand in one. */
class Annotations {
  readonly #policy: string;
  readonly #values = new Map<string, Set<string>>();

  constructor(policy: string) {
    this.#policy = policy;
  }

  add(key: string, value: string): void {
    const cut =
      Buffer.byteLength(value) > maxAnnotationBytes
        ? Buffer.from(value).subarray(0, maxAnnotationBytes).toString('utf8')
        : value;
    const known = this.#values.get(key);
    if (known === undefined) this.#values.set(key, new Set([cut]));
    else known.add(cut);
  }

  publish(attributes: AdmissionAttributes): void {
    for (const [key, values] of this.#values)
      attributes.addAuditAnnotation(`${this.#policy}/${key}`, [...values].join(', '));
  }
}

function denied(attributes: AdmissionAttributes, { binding, message: why, policy, reason }: Denial): StatusError {
  const message =
    `ValidatingAdmissionPolicy '${policy}'${binding === undefined ? '' : ` with binding '${binding}'`} denied ` +
    `request: ${why}`;
  const { details, message: full = '' } = admissionForbidden(attributes, message).status;
  const given = reason === '' ? 'Invalid' : reason;
  return new StatusError({
    status: 'Failure',
    code: codes.get(given) ?? 422,
    reason: given as StatusReason,
    message: full,
    details: { ...details, causes: [{ message }] },
  });
}
