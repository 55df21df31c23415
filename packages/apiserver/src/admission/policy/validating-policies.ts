import { StatusError, goJSON, notFound } from '@kubechain/apimachinery';
import type { KubeObject, StatusReason } from '@kubechain/apimachinery';
import type { Authorizer } from '../../authorization/authorizer.ts';
import type { AdmissionAttributes, AdmissionPlugin } from '../admission.ts';
import { admissionForbidden } from '../admission-error.ts';
import { namespaceValue, versionedObjects } from '../cel/admission-request.ts';
import type { RequestForm, VersionedObjects } from '../cel/admission-request.ts';
import type { NamespaceLister } from '../namespace-lister.ts';
import { isExemptFromAdmission } from '../webhook/rules.ts';
import { waitForReady } from '../wait-for-ready.ts';
import { checkTime, handlesAll } from '../webhook/webhook-plugin.ts';
import { collectParams } from './collect-params.ts';
import type { ParamSources } from './param-sources.ts';
import type { PolicyBinding, PolicyHook, PolicySource } from './policy-source.ts';
import type { ValidatingPolicySpec } from './stored-policy.ts';
import type { Decision, ValidatingPolicy } from './validating-policy.ts';

type Hook = PolicyHook<ValidatingPolicySpec, ValidatingPolicy>;

export interface ValidatingPolicyOptions {
  readonly source: Pick<PolicySource<ValidatingPolicySpec, ValidatingPolicy>, 'hooks' | 'hasSynced' | 'waitForSync'>;
  readonly params: ParamSources;
  readonly namespaces: NamespaceLister;
  readonly authorizer: Authorizer;
}

/** A refusal, and whose it is. */
interface Denial { readonly policy: string; readonly binding: string | undefined; readonly message: string; readonly reason: string }

const maxAnnotationBytes = 10 * 1024;
/** Statuses of the reasons that validations may give. */
const codes: ReadonlyMap<string, number> = new Map([['Forbidden', 403], ['Unauthorized', 401], ['RequestEntityTooLarge', 413]]);

/** Applies ValidatingAdmissionPolicies to requests (policy/validating/dispatcher.go, 1.36). */
export class ValidatingAdmissionPolicy implements AdmissionPlugin {
  readonly name = 'ValidatingAdmissionPolicy';
  readonly handles = handlesAll;
  readonly #options: ValidatingPolicyOptions;

  constructor(options: ValidatingPolicyOptions) { this.#options = options; }

  validate(attributes: AdmissionAttributes): void | Promise<void> {
    if (isExemptFromAdmission(attributes.kind)) return undefined;
    return waitForReady(attributes, this.#options.source)?.then(() => this.#validateKnown(attributes)) ?? this.#validateKnown(attributes);
  }

  #validateKnown(attributes: AdmissionAttributes): void | Promise<void> {
    const hooks = this.#options.source.hooks();
    return hooks.length === 0 ? undefined : this.#validate(attributes, hooks);
  }

  async #validate(attributes: AdmissionAttributes, hooks: readonly Hook[]): Promise<void> {
    const request = new PolicyRequest(attributes, this.#options);
    // All are evaluated, for their warnings and audit annotations; the first refusal is the answer.
    const denials: Denial[] = [];
    for (const hook of hooks) denials.push(...await request.apply(hook));
    const [first] = denials;
    if (first !== undefined) throw denied(attributes, first);
  }
}

/** One request, and what policies share of it. */
class PolicyRequest {
  readonly #attributes: AdmissionAttributes;
  readonly #options: ValidatingPolicyOptions;
  readonly #versions = new Map<string, VersionedObjects>();
  #namespace: object | null | undefined;

  constructor(attributes: AdmissionAttributes, options: ValidatingPolicyOptions) {
    this.#attributes = attributes;
    this.#options = options;
  }

  /** What a policy refuses. */
  async apply(hook: Hook): Promise<readonly Denial[]> {
    const { name: policy, spec } = hook;
    const ignoresFailures = spec.failurePolicy === 'Ignore';
    const misconfigured = (text: string, binding?: string): readonly Denial[] => (ignoresFailures ? [] : [{ policy, binding, message: `failed to configure ${binding === undefined ? 'policy' : 'binding'}: ${text}`, reason: '' }]);
    let form: RequestForm | undefined;
    try {
      if (hook.criteria === undefined) return misconfigured('policy contained no match constraints, a required field');
      form = await hook.criteria.formOf(this.#attributes, this.#options.namespaces);
    } catch (error) {
      return misconfigured(messageOf(error));
    }
    if (form === undefined) return [];
    const params = hook.paramKind === undefined ? undefined : await this.#options.params.find(hook.paramKind);
    if (hook.paramKind !== undefined && params === undefined) {
      const { group, kind, version } = hook.paramKind;
      return misconfigured(`failed to find resource referenced by paramKind: '${group}/${version}, Kind=${kind}'`);
    }
    const annotations = new Annotations(policy);
    const denials: Denial[] = [];
    for (const binding of hook.bindings) {
      let given: readonly (object | null)[], objects: VersionedObjects;
      try {
        if (binding.criteria !== undefined && await binding.criteria.formOf(this.#attributes, this.#options.namespaces) === undefined) continue;
        given = await collectParams(spec.paramKind, params, { ref: binding.spec.paramRef, namespace: this.#attributes.namespace });
        if (given.length === 0) continue;
        objects = await this.#objectsIn(form);
      } catch (error) {
        denials.push(...misconfigured(messageOf(error), binding.name));
        continue;
      }
      const namespace = await this.#namespaceObject();
      checkTime(this.#attributes);
      for (const param of given) {
        const result = hook.evaluator().validate({ attributes: this.#attributes, objects, namespace, params: param, authorizer: this.#options.authorizer });
        for (const [i, decision] of result.decisions.entries()) if (this.#act(decision, i, { policy, binding })) denials.push({ ...(decision as Decision & { kind: 'deny' }), policy, binding: binding.name });
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
  #act(decision: Decision, index: number, { binding, policy }: { readonly policy: string; readonly binding: PolicyBinding }): boolean {
    if (decision.kind === 'admit') return false;
    const { validationActions = [] } = binding.spec;
    for (const action of validationActions) {
      if (action === 'Warn') this.#attributes.addWarning(`Validation failed for ValidatingAdmissionPolicy '${policy}' with binding '${binding.name}': ${decision.message}`);
      if (action === 'Audit') this.#attributes.addAuditAnnotation('validation.policy.admission.k8s.io/validation_failure', goJSON([{ message: decision.message, policy, binding: binding.name, expressionIndex: index, validationActions }]));
    }
    return validationActions.includes('Deny');
  }

  async #objectsIn(form: RequestForm): Promise<VersionedObjects> {
    const key = `${form.kind.group}/${form.kind.version}/${form.kind.kind}/${form.resource.resource}`;
    let objects = this.#versions.get(key);
    if (objects === undefined) {
      try {
        this.#versions.set(key, objects = await versionedObjects(this.#attributes, form));
      } catch (error) {
        throw new TypeError(`failed to convert object version: ${messageOf(error)}`, { cause: error });
      }
    }
    return objects;
  }

  async #namespaceObject(): Promise<object | null> {
    if (this.#namespace === undefined) {
      const { kind, namespace, signal } = this.#attributes;
      this.#namespace = namespace === '' || (kind.group === '' && kind.kind === 'Namespace') ? null : namespaceValue(await namespaceOf(namespace, this.#options.namespaces, signal));
    }
    return this.#namespace;
  }
}

async function namespaceOf(name: string, namespaces: NamespaceLister, signal: AbortSignal): Promise<KubeObject> {
  const found = namespaces.get(name) ?? await namespaces.getLive(name, signal);
  if (found === undefined) throw notFound({ group: '', resource: 'namespaces' }, name);
  return found;
}

/** The audit annotations of one policy: values of several bindings stand in one. */
class Annotations {
  readonly #policy: string;
  readonly #values = new Map<string, Set<string>>();

  constructor(policy: string) { this.#policy = policy; }

  add(key: string, value: string): void {
    const cut = Buffer.byteLength(value) > maxAnnotationBytes ? Buffer.from(value).subarray(0, maxAnnotationBytes).toString('utf8') : value;
    const known = this.#values.get(key);
    if (known === undefined) this.#values.set(key, new Set([cut]));
    else known.add(cut);
  }

  publish(attributes: AdmissionAttributes): void {
    for (const [key, values] of this.#values) attributes.addAuditAnnotation(`${this.#policy}/${key}`, [...values].join(', '));
  }
}

function denied(attributes: AdmissionAttributes, { binding, message: why, policy, reason }: Denial): StatusError {
  const message = `ValidatingAdmissionPolicy '${policy}'${binding === undefined ? '' : ` with binding '${binding}'`} denied request: ${why}`;
  const { details, message: full = '' } = admissionForbidden(attributes, message).status;
  const given = reason === '' ? 'Invalid' : reason;
  return new StatusError({ status: 'Failure', code: codes.get(given) ?? 422, reason: given as StatusReason, message: full, details: { ...details, causes: [{ message }] } });
}

function messageOf(error: unknown): string { return error instanceof Error ? error.message : String(error); }
